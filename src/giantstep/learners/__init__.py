"""What learns: networks, their steps on two engines, heads, exact risks, kernels, trainings, flows, sensing, particles.

Each topic is a package: `networks` (what is trained), `engines` (how a step is simulated), `heads` (the second layer),
`risk` (the test risk, computed), `kernels`, `training` (whole algorithms of the papers), `flows`, `sensing` and
`meanfield`. Factors on which papers differ have names (`networks.StepConvention` and its like).
"""

from giantstep import doors

__getattr__, __dir__, __all__ = doors.attach(__name__, __file__)
