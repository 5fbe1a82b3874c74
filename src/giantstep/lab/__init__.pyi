from .refusals import Refusal as Refusal
from .serving import open_lab as open_lab
from .web.application import create_app as create_app
from .web.laboratory import LabSettings as LabSettings
