from .fokker_planck import FokkerPlanck as FokkerPlanck
from .fokker_planck import MeanField as MeanField
from .linear_neurons import gaussian_law as gaussian_law
from .linear_neurons import law_after as law_after
from .particle_law import MeanFieldLaw as MeanFieldLaw
from .particle_law import mean_field_law as mean_field_law
