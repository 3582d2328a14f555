"""Output in all the ways there are, in the order in which it is written, and input that is at its end."""

import contextlib
import io
import logging
import os
import sys

print("to stdout", flush=True)
print("to stderr", file=sys.stderr)
sys.stdout.write("no newline; ")
sys.stdout.writelines(["several ", "pieces\n"])
sys.stdout.flush()
sys.stdout.buffer.write(b"raw bytes \xe2\x82\xac\n")
sys.stdout.buffer.flush()
os.write(1, b"by descriptor\n")
os.write(2, b"errors by descriptor\n")
print("sep", "and", "end", sep="|", end=".\n")
print("unicode", "é", "日本", "\N{SNAKE}", "\x00\x1b[0m")
print(sys.stdout.encoding, sys.stdout.errors, sys.stdout.line_buffering, sys.stdout.isatty(), sys.stdout.fileno())
print(type(sys.stdout).__name__, sys.stdout is sys.__stdout__, sys.stdout.name, sys.stdout.mode, sys.stdout.writable())
print(type(sys.stderr).__name__, sys.stderr is sys.__stderr__, sys.stderr.name, sys.stderr.errors)
captured = io.StringIO()
with contextlib.redirect_stdout(captured), contextlib.redirect_stderr(captured):
    print("captured")
    print("captured too", file=sys.stderr)
print(repr(captured.getvalue()))


class Upper(io.TextIOBase):
    def write(self, text):
        sys.__stdout__.write(text.upper())
        return len(text)


before, sys.stdout = sys.stdout, Upper()
print("replaced by the program")
sys.stdout = before
print("back again")
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(funcName)s %(lineno)d %(filename)s %(message)s")


def logs():
    logging.getLogger("x").warning("logged %s", 1)


logs()
try:
    input("prompt> ")
except EOFError as error:
    print(repr(error))
print(sys.stdin.read() == "", sys.stdin.readline() == "", sys.stdin.fileno())
sys.stdin.close()
print(sys.stdin.closed)
for size in (10, 100_000):
    print("x" * size)
print("partial line at the end", end="")
print("and errors", end="", file=sys.stderr)
