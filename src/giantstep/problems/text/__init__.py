"""Expressions: read from text, evaluated on arrays, differentiated, printed; their numbers are exact."""
