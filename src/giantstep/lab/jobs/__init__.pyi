from .listed import JOBS as JOBS
from .listed import Tell as Tell
from .listed import job_named as job_named
from .listed import json_bytes as json_bytes
