from .crew import Crew as Crew
from .crew import Work as Work
