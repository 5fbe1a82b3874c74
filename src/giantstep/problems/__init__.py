"""What is to be learned: targets and activations written as text, inputs, label noise, and samples in blocks.

`text` reads and evaluates expressions, `forms` brings them into a normal form, `integrals` knows their Gaussian
expectations, `inputs` holds the laws of x, `labels` what y tells about it, and `analysis` says what is in a target and
who can learn it when.
"""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
