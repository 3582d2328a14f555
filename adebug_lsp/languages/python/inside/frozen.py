"""The builtins as they were when recording began: a program may put others in their place, or keys that run its code.

Functions look builtins up in what their module has as `__builtins__` when they are made, so each module whose code runs
while the program does imports this first.
"""

import builtins

kept = dict(vars(builtins))
