from .on_samples import SampleFlow as SampleFlow
from .overlap_search import OverlapSearch as OverlapSearch
from .population import PopulationFlow as PopulationFlow
from .task import FlowKind as FlowKind
from .task import FlowTask as FlowTask
from .task import sphere_starts as sphere_starts
