"""Puts adebug and its libraries into `bundled/libs`, for the extension of one platform or of all.

`bundle.py TARGET` takes a platform by VS Code's name, such as `linux-x64`: adebug then has its recorder in C, in one
library that serves every Python from 3.10 on (stable ABI). With `universal` adebug is pure Python, for platforms that
have no extension of their own. `bundle.py TARGET WHEEL` takes a wheel that is already built.

numpy and debugpy are left out, because their libraries fit one version of Python each: the extension takes them from
the interpreter, or offers to install them.
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
UNIVERSAL = "universal"
PER_PYTHON = {"debugpy", "numpy"}
OLDEST = "3.10"
"""The oldest Python that adebug works with; the libraries must, too."""
BEFORE_3_11 = ["exceptiongroup"]
"""cattrs needs it there. pip skips it when it runs on a later Python itself."""
PLATFORMS = {
    "linux-x64": r"(many)?linux.*_x86_64",
    "linux-arm64": r"(many)?linux.*_aarch64",
    "alpine-x64": r"(musl)?linux.*_x86_64",
    "alpine-arm64": r"(musl)?linux.*_aarch64",
    "darwin-x64": r"macosx_.*_(x86_64|universal2)",
    "darwin-arm64": r"macosx_.*_(arm64|universal2)",
    "win32-x64": r"win_amd64",
    "win32-arm64": r"win_arm64",
}
"""Platform tags of wheels by VS Code's names of platforms:
https://code.visualstudio.com/api/working-with-extensions/publishing-extension#platformspecific-extensions
"""


def main(target: str, *wheels: str) -> None:
    """Make the folder anew."""
    if target not in (UNIVERSAL, *PLATFORMS):
        sys.exit(f"{target}: no such platform; choose one of {', '.join((UNIVERSAL, *PLATFORMS))}")
    shutil.rmtree(LIBS, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        wheel = Path(*wheels) if wheels else built(target, Path(folder))
        if not fits(wheel.name, target):
            sys.exit(f"{wheel.name} is not for {target}: build there, or name a wheel for it")
        # Unpacked, not installed: the wheel may be for a platform other than this one.
        shutil.unpack_archive(wheel, LIBS, "zip")
    pure = ("--python-version", OLDEST, "--implementation", "py", "--abi", "none", "--platform", "any")
    options = ("--target", str(LIBS), "--no-compile", "--only-binary=:all:", "--upgrade", *pure)
    pip("install", *options, *needed(), *BEFORE_3_11)
    shutil.rmtree(LIBS / "bin", ignore_errors=True)


def built(target: str, folder: Path) -> Path:
    """Build adebug's wheel; without its build hook it is pure Python."""
    hook = {"HATCH_BUILD_NO_HOOKS": "true"} if target == UNIVERSAL else {"ADEBUG_REQUIRE_ACCELERATOR": "1"}
    pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT), **hook)
    (wheel,) = folder.iterdir()
    return wheel


def fits(wheel: str, target: str) -> bool:
    """Whether a wheel of this name is for a platform. A wheel may have several tags, with a dot between them."""
    tags = wheel.removesuffix(".whl").rpartition("-")[2].split(".")
    pattern = PLATFORMS.get(target, "any")
    return any(re.fullmatch(pattern, tag) for tag in tags)


def needed() -> list[str]:
    """Return adebug's requirements that are pure Python."""
    parts = [text.partition(";") for text in requires("adebug-lsp") or [] if "extra ==" not in text]
    names = {requirement: re.split(r"[^\w-]", requirement, maxsplit=1)[0] for requirement, _, _ in parts}
    return [requirement for requirement, name in names.items() if name not in PER_PYTHON]


def pip(*arguments: str, **environment: str) -> None:
    """Run pip of this interpreter."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True, env={**os.environ, **environment})  # noqa: S603 - our own arguments


if __name__ == "__main__":
    main(*(sys.argv[1:] or [UNIVERSAL]))
