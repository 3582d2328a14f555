"""An exception that nobody catches: its traceback on stderr, exit code 1, and cleaning up on the way out."""

import atexit


class Wrong(Exception):
    """Shows with its module's name."""


def inner(value):
    return {"a": 1}[value] + value


def outer(items):
    try:
        return [inner(item) for item in items]
    except KeyError as error:
        raise Wrong(
            "while looking",
            items,
        ) from error
    finally:
        print("finally")


atexit.register(print, "at exit")
print("starting")
outer(["a" if False else "b"])
