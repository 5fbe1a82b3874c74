from .writing import write_report as write_report
