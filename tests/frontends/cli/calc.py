"""`python -m tests.frontends.cli.calc ARGUMENTS` is `adebug` with the calculator of the examples as its only language.

Recording starts a real process besides, which prints, reads and gets arguments as programs do.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from adebug_lsp.frontends.cli.main import main
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Ended, ExportedTests, Progress, Request
from adebug_lsp.languages.python.export_tests import export_tests
from adebug_lsp.store.saved_answers import SavedAnswer

sys.path.insert(0, str(Path(__file__).parents[3] / "examples" / "calculator"))

from calculator import DESCRIPTOR, Calculator

NOISE = 'import sys; print("program output"); print("heard:", sys.stdin.read())'


class NoisyCalculator(Calculator):
    """A calculator whose programs use standard input and output and ignore arguments; its tests are pytest's."""

    def record(self, request: Request, out: Path, progress: Progress) -> Ended:
        super().record(evolve(request, args=(), tests=None if request.tests is None else ()), out, progress)
        progress("recording", 1, 2)
        code = subprocess.run([sys.executable, "-c", NOISE, *request.args], check=False).returncode
        return Ended("finished", code, f"ran with {list(request.args)}")

    def export_tests(self, answers: Sequence[SavedAnswer], _file: Path, _workspace: Path) -> ExportedTests:
        return export_tests(answers)


if __name__ == "__main__":
    sys.modules["tests.frontends.cli.calc"] = sys.modules["__main__"]
    descriptor = evolve(DESCRIPTOR, code="tests.frontends.cli.calc:NoisyCalculator", test_file="test_answers.py")
    registry.descriptors = lambda: dict.fromkeys((registry.DEFAULT_LANGUAGE, DESCRIPTOR.name), descriptor)  # type: ignore[assignment]
    sys.exit(main())
