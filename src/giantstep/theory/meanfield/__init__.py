"""Wide networks trained with noise: the law of their neurons, its free energy, the fluctuations around it."""
