"""An interrupt that the program sends to itself: once caught, once not."""

import os
import signal
import sys


def wait():
    total = 0
    while True:
        total += 1
        if total == 1000:
            signal.raise_signal(signal.SIGINT)


print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, signal.getsignal(signal.SIGTERM).name)
try:
    wait()
except KeyboardInterrupt:
    print("interrupted")
signal.signal(signal.SIGTERM, lambda number, frame: print("handled", number, frame.f_code.co_name))
os.kill(os.getpid(), signal.SIGTERM)


def handler(number, frame):
    sys.exit(f"left by signal {number}")


signal.signal(signal.SIGINT, handler)
wait()
