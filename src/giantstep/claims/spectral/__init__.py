"""Directions from labels at n ~ d: spectral matrices, inverse regression, several directions, gradients of a kernel."""
