"""Claims on samples that are used twice, and on samples in batches."""
