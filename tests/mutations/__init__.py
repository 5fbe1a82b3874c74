"""Wrong formulas, each of which some claim must notice; see `mutating.py`."""
