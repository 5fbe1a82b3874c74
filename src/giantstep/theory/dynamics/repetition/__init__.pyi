from .batches import batch_step as batch_step
from .batches import batch_steps as batch_steps
from .repeated_samples import look_ahead_threshold as look_ahead_threshold
from .repeated_samples import repetition_coefficients as repetition_coefficients
from .repeated_samples import repetition_exponent as repetition_exponent
from .repeated_samples import repetition_share as repetition_share
from .repeated_samples import repetition_step as repetition_step
from .repeated_samples import repetition_time as repetition_time
