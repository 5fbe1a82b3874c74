"""Wide networks trained with noise: Langevin dynamics of classifiers, interacting particles, their free energy."""
