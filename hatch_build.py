"""Builds the accelerator of the Python recorder, where there is a C compiler; adebug works without it, only slower."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "adebug_lsp/languages/python/recorder/native"
NAME = "_accelerator.pyd" if os.name == "nt" else "_accelerator.abi3.so"


class AcceleratorHook(BuildHookInterface[Any]):
    """Compiles one library for every interpreter from 3.10 on."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - both kinds of wheel are alike
        """Add the library to a wheel; without a compiler the wheel has Python files only."""
        if self.target_name != "wheel":
            return
        library = Path(self.root, FOLDER, NAME)
        problem = build(Path(self.root, FOLDER, "accelerator.c"), library)
        if problem:
            self.app.display_warning(f"adebug: recording is built without its accelerator: {problem}")
            return
        build_data["artifacts"].append(f"/{FOLDER}/{NAME}")
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp310-abi3-{platform}"


def build(source: Path, library: Path) -> str:
    """Compile, and say what was in the way, if anything was. A library from before goes first: it may not fit."""
    library.unlink(missing_ok=True)
    try:
        done = subprocess.run(  # noqa: S603 - the compiler that Python itself was built with
            _command(source, library),
            capture_output=True,
            text=True,
            errors="replace",
            cwd=library.parent,
            check=False,
        )
    except OSError as error:
        return f"the C compiler does not run ({error})"
    if done.returncode or not library.exists():
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        return f"the C compiler failed ({''.join(last)})"
    return ""


def _command(source: Path, library: Path) -> list[str]:
    include = sysconfig.get_path("include")
    if os.name == "nt":
        libraries = Path(sys.base_prefix, "libs")
        options = ["/nologo", "/O2", "/LD", f"/I{include}", str(source), f"/Fe{library}"]
        return ["cl", *options, "/link", f"/LIBPATH:{libraries}"]
    linker = (sysconfig.get_config_var("LDSHARED") or "cc -shared").split()
    return [*linker, "-O3", "-fPIC", "-fvisibility=hidden", f"-I{include}", str(source), "-o", str(library)]
