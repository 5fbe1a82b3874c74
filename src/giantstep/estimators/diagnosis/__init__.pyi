from . import parts as parts
from .diagnosing import diagnose as diagnose
from .diagnosing import diagnose_table as diagnose_table
from .reading import read_table as read_table
from .results import Diagnosis as Diagnosis
from .tables import Table as Table
