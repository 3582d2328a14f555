"""A program that is ended by a signal which it does not handle."""

import os
import signal

print("before", flush=True)


def end():
    os.kill(os.getpid(), signal.SIGTERM)
    while True:
        pass


end()
