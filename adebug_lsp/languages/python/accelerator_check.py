"""Checks whether an interpreter would record with the accelerator, and why not; for `adebug doctor`."""

import json
import subprocess
from pathlib import Path

from attrs import frozen

_RECORDER = Path(__file__).parent / "recorder"

# Runs in the user's interpreter, which loads the library in the same way when it records.
_LOAD = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
library, problem = None, None
from isolation import isolated_recorder
recorder = isolated_recorder()
loader = recorder.load("adebug_recorder.native.loader")
if loader.accelerator is not None:
    library = loader.accelerator.__file__
elif os.environ.get("ADEBUG_PURE") == "1":
    problem = "switched off by ADEBUG_PURE"
elif loader.FREE_THREADED:
    problem = "not available for free-threaded Python"
else:
    try:
        accelerator = recorder.load("adebug_recorder.native._accelerator")
        problem = "built for another version of adebug: %s" % accelerator.__file__
    except ModuleNotFoundError:
        problem = "not built"
    except ImportError as error:
        problem = "does not load: %s" % error
print(json.dumps([library, problem]))
"""


@frozen
class AcceleratorCheck:
    """The library that an interpreter records with, or why it records in pure Python."""

    library: Path | None
    problem: str = ""


def check_accelerator(interpreter: Path, timeout: float = 4.0) -> AcceleratorCheck:
    """Load the accelerator in an interpreter as its recorder would. Runs no code of a workspace."""
    command = [str(interpreter), "-E", "-s", "-S", "-B", "-c", _LOAD, str(_RECORDER)]
    try:
        done = subprocess.run(  # noqa: S603 - an interpreter that the caller trusts, and our own code
            command, cwd=_RECORDER, capture_output=True, text=True, errors="replace", timeout=timeout, check=True
        )
        library, problem = json.loads(done.stdout.strip().rpartition("\n")[2])
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return AcceleratorCheck(None, f"{interpreter} does not run: {error}")
    return AcceleratorCheck(Path(library) if library else None, problem or "")
