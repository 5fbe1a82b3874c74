from .frames import moving_values as moving_values
