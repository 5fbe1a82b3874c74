from .starting import die_with as die_with
from .starting import start_child as start_child
