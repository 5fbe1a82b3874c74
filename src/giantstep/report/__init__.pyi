from .of_diagnosis import write_diagnosis as write_diagnosis
from .writing import write_report as write_report
