from .of_diagnosis import write_diagnosis as write_diagnosis
from .pictures import picture_kinds as picture_kinds
from .writing import write_report as write_report
