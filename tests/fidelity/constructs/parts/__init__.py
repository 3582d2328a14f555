"""A package that imports its own parts."""

from .deeper.leaf import *
from .deeper.leaf import _hidden as shown

print("parts loaded", __name__, __package__, __path__ != [])
