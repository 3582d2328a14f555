"""Puts adebug and its libraries into `bundled/libs`, in pure Python, so that one .vsix serves every system.

numpy and debugpy are made for one system each, and are left out: the extension takes them from the interpreter,
or offers to install them.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import requires
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
LIBS = HERE / "bundled" / "libs"
PER_SYSTEM = {"debugpy", "numpy"}
OLDEST = "3.10"
"""The oldest Python that adebug works with; the libraries must do so, too."""
BEFORE_3_11 = ["exceptiongroup"]
"""What cattrs needs there. pip asks for it only where it runs on such a Python itself."""


def main() -> None:
    """Make the folder anew."""
    shutil.rmtree(LIBS, ignore_errors=True)
    with tempfile.TemporaryDirectory() as wheels:
        # Without its build hook, adebug is pure Python.
        pip("wheel", "--no-deps", "--wheel-dir", wheels, str(ROOT), HATCH_BUILD_NO_HOOKS="true")
        pip("install", "--target", str(LIBS), "--no-compile", "--no-deps", *map(str, Path(wheels).iterdir()))
    pure = ("--python-version", OLDEST, "--implementation", "py", "--abi", "none", "--platform", "any")
    pip(
        "install",
        "--target",
        str(LIBS),
        "--no-compile",
        "--only-binary=:all:",
        "--upgrade",
        *pure,
        *needed(),
        *BEFORE_3_11,
    )
    shutil.rmtree(LIBS / "bin", ignore_errors=True)


def needed() -> list[str]:
    """What adebug requires and runs on every system."""
    found = [text.partition(";") for text in requires("adebug-lsp") or [] if "extra ==" not in text]
    names = {requirement: re.split(r"[^\w-]", requirement, maxsplit=1)[0] for requirement, _, _ in found}
    return [requirement for requirement, name in names.items() if name not in PER_SYSTEM]


def pip(*arguments: str, **environment: str) -> None:
    """Run pip of this interpreter."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True, env={**os.environ, **environment})  # noqa: S603 - our own arguments


if __name__ == "__main__":
    main()
