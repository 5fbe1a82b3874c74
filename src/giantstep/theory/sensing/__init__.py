"""Low-rank matrix sensing: the spectral matrix, its phases, errors near the truth, balance of factors."""
