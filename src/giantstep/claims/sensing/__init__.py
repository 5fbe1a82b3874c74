"""Claims about low-rank matrix sensing by gradient descent from a small random start."""
