"""`python -m tests.fuzz MINUTES`: runs all property tests with new examples, repeatedly until the time is over.

Exits with 1 as soon as one fails; pytest's output has the example and the hash seed.
"""

import os
import random
import subprocess
import sys
from time import monotonic

from tests.support import ROOT


def main(minutes: float) -> int:
    """Runs the property tests; returns the exit code."""
    end, rounds = monotonic() + 60 * minutes, 0
    while monotonic() < end:
        seed = random.randrange(1 << 32)
        rounds += 1
        left = (end - monotonic()) / 60
        print(f"fuzz: round {rounds}, PYTHONHASHSEED={seed}, {left:.0f} minutes left", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "auto", "-q", "-m", "hypothesis", "tests"],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": str(seed), "ADEBUG_FUZZ": "1"}, check=False,
        )  # fmt: skip
        if done.returncode:
            print(f"fuzz: failed in round {rounds}, PYTHONHASHSEED={seed}; add the example to its test", flush=True)
            return 1
    print(f"fuzz: {rounds} rounds of all property tests, nothing found", flush=True)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].replace(".", "", 1).isdigit():
        sys.exit("usage: python -m tests.fuzz MINUTES")
    sys.exit(main(float(sys.argv[1])))
