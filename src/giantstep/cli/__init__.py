"""The terminal face: one file per command, flags made from the claims' own fields."""
