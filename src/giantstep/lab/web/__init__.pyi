from .application import create_app as create_app
from .laboratory import LabSettings as LabSettings
