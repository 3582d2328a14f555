"""From a failing suite to the first question: `adebug test` on test suites of packages, each with one bug put in.

Budget: the bare suite × 1.15, plus the failing test recorded alone, plus 2 s. `python -m benchmarks suites`.
Source distributions are downloaded with pip; CPU time counts, of all processes, as other work disturbs it least.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from attrs import frozen

from benchmarks.recording.measure import children_cpu

TIMES, SECONDS = 1.15, 2.0
"""The budget: so many times the bare suite, and so many seconds beside the test itself."""
WORKERS = ("-n", "2")


@frozen
class Suite:
    """A package whose source distribution has tests, and a bug to put in that one of them finds."""

    name: str
    version: str
    file: str
    right: str
    wrong: str
    test: str
    """The failing test."""
    source: str = "."
    tests: tuple[str, ...] = ("tests",)


SUITES = ()
