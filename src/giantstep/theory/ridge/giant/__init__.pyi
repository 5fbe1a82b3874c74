from .limit import GiantStepLimit as GiantStepLimit
from .limit import giant_step_limit as giant_step_limit
from .rows import RowLaw as RowLaw
from .rows import row_law as row_law
