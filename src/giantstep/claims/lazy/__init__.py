"""Claims on the lazy regime, where a network is its own linearisation, and on leaving it."""
