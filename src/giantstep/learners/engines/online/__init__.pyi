from .repeated import RepeatedSGD as RepeatedSGD
from .repeated import arrival_samples as arrival_samples
from .replica_risk import online_risk as online_risk
from .replicas import OnlineState as OnlineState
from .replicas import random_replicas as random_replicas
from .replicas import replicas_at as replicas_at
from .sgd import OnlineSGD as OnlineSGD
from .sgd import escape_steps as escape_steps
