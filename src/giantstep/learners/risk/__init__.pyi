from .features import FeatureMoments as FeatureMoments
from .features import feature_moments as feature_moments
from .features import term_correlations as term_correlations
from .test_risk import MonteCarloRisk as MonteCarloRisk
from .test_risk import exact_risk as exact_risk
from .test_risk import monte_carlo_risk as monte_carlo_risk
