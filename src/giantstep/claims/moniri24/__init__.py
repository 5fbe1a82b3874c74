"""[moniri24] polynomial spikes in the features after a step that grows with the samples."""
