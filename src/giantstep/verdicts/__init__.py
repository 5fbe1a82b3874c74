"""From predictions and measurements to a verdict: values, quantities with their allowances, cells, and the judge.

A *cell* is a point with what theory says there and what each seed showed. One judge serves all claims (`judging`).
"""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
