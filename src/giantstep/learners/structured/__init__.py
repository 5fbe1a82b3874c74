"""Learners on inputs with a spike: kernel fits and their risks, one step with biases, flows of one neuron."""
