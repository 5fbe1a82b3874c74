"""Gaussian expectations and Hermite coefficients of any normal form, with an error that is stated and meant."""
