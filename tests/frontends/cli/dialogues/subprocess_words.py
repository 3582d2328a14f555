# adebug run; answers: no yes yes
"""Words are counted by another process; what it prints is read with one word too many."""

import subprocess
import sys

COUNT = "import sys; print('words:', len(sys.stdin.read().split()))"


def output(text: str) -> str:
    command = [sys.executable, "-c", COUNT]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def words(text: str) -> int:
    return len(output(text).split())


if __name__ == "__main__":
    assert words("one two three") == 3
