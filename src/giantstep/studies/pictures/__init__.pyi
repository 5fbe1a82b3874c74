from .frames import moving_values as moving_values
from .labels import spelled as spelled
from .whole import NO_AXES as NO_AXES
from .whole import shown_panels as shown_panels
