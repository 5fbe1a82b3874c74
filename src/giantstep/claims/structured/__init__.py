"""Claims about structured inputs: spiked covariance, gradient flows, and what they make easy or hard."""
