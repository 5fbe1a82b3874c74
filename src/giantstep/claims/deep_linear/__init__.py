"""Claims on deep linear networks."""
