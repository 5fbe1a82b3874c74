from .label_laws import LabelLaw as LabelLaw
from .label_laws import label_law as label_law
from .recovery import Recovery as Recovery
from .recovery import linear_part_seen as linear_part_seen
from .recovery import weak_recovery as weak_recovery
