from .replica_risk import online_risk as online_risk
from .replicas import OnlineState as OnlineState
from .replicas import random_start as random_start
from .replicas import start_at as start_at
from .sgd import OnlinePath as OnlinePath
from .sgd import escape_steps as escape_steps
from .sgd import online_sgd as online_sgd
