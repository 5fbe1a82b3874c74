"""Inputs with a spike: kernels and their spectra, one gradient step, gradient flows of one neuron."""
