"""Claims on quadratic networks: their risk at any width, and how it falls with the samples."""
