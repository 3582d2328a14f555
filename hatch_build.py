"""Compiles the parts in C into wheels; without a C compiler a wheel is pure Python, and records and opens slower."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARIES = {
    "adebug_lsp/languages/python/recorder/native/accelerator.c": (
        "_accelerator.pyd" if os.name == "nt" else "_accelerator.abi3.so"
    ),
    "adebug_lsp/native/columns.c": "_columns.dll" if os.name == "nt" else "_columns.so",
}
"""By source, the name of the library: the recorder's accelerator; loops over columns, which use nothing of Python."""
REQUIRE = "ADEBUG_REQUIRE_ACCELERATOR"
"""Set to 1 where a wheel without the accelerator is a mistake: releases, and the extension for one platform."""


class AcceleratorHook(BuildHookInterface[Any]):
    """Adds the libraries: one set per platform, the accelerator in the stable ABI of Python 3.10 (PEP 384)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - standard and editable wheels are alike
        """Compile the libraries and tag the wheel with its platform."""
        if self.target_name != "wheel":
            return
        libraries = {
            Path(self.root, source): Path(self.root, source).with_name(name) for source, name in LIBRARIES.items()
        }
        problem = next(filter(None, [build(source, library) for source, library in libraries.items()]), "")
        if problem and os.environ.get(REQUIRE) == "1":
            raise RuntimeError(f"{problem}; install a C compiler and Python's headers, or unset {REQUIRE}")
        if problem:
            self.app.display_warning(f"adebug: built without its parts in C: {problem}")
            return
        build_data["artifacts"] += [f"/{library.relative_to(self.root).as_posix()}" for library in libraries.values()]
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp310-abi3-{platform}"


def build(source: Path, library: Path) -> str:
    """Compile a library; return the problem, or an empty string. An older library is deleted: it may not fit."""
    library.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:  # MSVC leaves .obj, .lib and .exp files beside the library
        compiled = Path(folder, library.name)
        try:
            done = subprocess.run(  # noqa: S603 - the compiler that Python itself was built with
                _command(source, compiled),
                capture_output=True,
                text=True,
                errors="replace",
                cwd=folder,
                check=False,
            )
        except OSError as error:
            return f"the C compiler does not run ({error})"
        if done.returncode or not compiled.exists():
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            return f"the C compiler failed ({''.join(last)})"
        shutil.move(compiled, library)
    return ""


def _command(source: Path, library: Path) -> list[str]:
    include = sysconfig.get_path("include")
    if os.name == "nt":
        libraries = Path(sys.base_prefix, "libs")
        options = ["/nologo", "/O2", "/LD", f"/I{include}", str(source), f"/Fe{library}"]
        return ["cl", *options, "/link", f"/LIBPATH:{libraries}"]
    linker = (sysconfig.get_config_var("LDSHARED") or "cc -shared").split()
    return [*linker, "-O3", "-fPIC", "-fvisibility=hidden", f"-I{include}", str(source), "-o", str(library)]
