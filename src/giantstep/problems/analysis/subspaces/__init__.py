"""Exact linear algebra of the directions of a target: spans, square roots, polynomials with packed exponents."""
