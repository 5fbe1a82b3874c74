"""[dls22]: learning representations of low-rank polynomials with one gradient step, and what limits it."""
