"""From cells to pictures: a view of a claim, drawn with theory as lines and simulation as marks."""
