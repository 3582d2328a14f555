"""Compiles the recorder's accelerator into wheels; without a C compiler a wheel is pure Python, and records slower."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "adebug_lsp/languages/python/recorder/native"
NAME = "_accelerator.pyd" if os.name == "nt" else "_accelerator.abi3.so"
REQUIRE = "ADEBUG_REQUIRE_ACCELERATOR"
"""Set to 1 where a wheel without the accelerator is a mistake: releases, and the extension for one platform."""


class AcceleratorHook(BuildHookInterface[Any]):
    """Adds the accelerator: one library per platform, in the stable ABI of Python 3.10 (PEP 384)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - standard and editable wheels are alike
        """Compile the library and tag the wheel with its platform."""
        if self.target_name != "wheel":
            return
        problem = build(Path(self.root, FOLDER, "accelerator.c"), Path(self.root, FOLDER, NAME))
        if problem and os.environ.get(REQUIRE) == "1":
            raise RuntimeError(f"{problem}; install a C compiler and Python's headers, or unset {REQUIRE}")
        if problem:
            self.app.display_warning(f"adebug: recording is built without its accelerator: {problem}")
            return
        build_data["artifacts"].append(f"/{FOLDER}/{NAME}")
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp310-abi3-{platform}"


def build(source: Path, library: Path) -> str:
    """Compile the library; return the problem, or an empty string. An older library is deleted: it may not fit."""
    library.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:  # MSVC leaves .obj, .lib and .exp files beside the library
        compiled = Path(folder, NAME)
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
