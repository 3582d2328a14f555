"""os._exit: no cleaning up, the exit code as given."""

import atexit
import os
import sys


def leave():
    try:
        os._exit(7)
    finally:
        print("never")


atexit.register(print, "never")
print("leaving at once")
sys.stdout.flush()
leave()
