from .flow import Flow as Flow
from .on_samples import Descent as Descent
from .task import FlowTask as FlowTask
from .task import sphere_starts as sphere_starts
