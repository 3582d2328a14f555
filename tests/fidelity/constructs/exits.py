"""sys.exit with a message, from deep inside, through finally and with."""

import contextlib
import sys


@contextlib.contextmanager
def around(name):
    try:
        yield
    finally:
        print("leaving", name)


def leave(code):
    with around("inner"):
        sys.exit(code)


for code in (0, 3, None, "text", (1, 2), True):
    try:
        leave(code)
    except SystemExit as error:
        print(repr(error), error.code)
with around("outer"):
    try:
        leave("the last message")
    except Exception:
        print("never")
    finally:
        print("finally")
