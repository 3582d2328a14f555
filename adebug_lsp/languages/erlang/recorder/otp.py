"""Finds the installed Erlang/OTP and compiles adebug's Erlang modules for it, once, into the user's cache."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from adebug_lsp.languages.user_cache import user_folder
from adebug_lsp.model.errors import BadInputError

_PACKAGE = Path(__file__).parents[1]
"""`recorder` and `sandbox` have modules in Erlang that call each other, so they are compiled together."""
_COMPILE_TIMEOUT = 60.0
_ADVICE = "install Erlang/OTP 25 or newer (Debian and Ubuntu: erlang-base and erlang-runtime-tools); see adebug doctor"


def find_erlang() -> tuple[str, str]:
    """Returns the paths of `erl` and `erlc`; raises `BadInputError` if one is missing."""
    erl = shutil.which("erl")
    if erl is None:
        raise BadInputError(f"Erlang not found: no `erl` on PATH: {_ADVICE}")
    beside = Path(erl).with_name("erlc" + Path(erl).suffix)
    erlc = str(beside) if beside.is_file() else shutil.which("erlc")
    if erlc is None:
        raise BadInputError(f"Erlang compiler not found: no `erlc` on PATH: {_ADVICE}")
    return erl, erlc


@cache
def compiled(erl: str, erlc: str) -> Path:
    """Returns the folder with the compiled modules; its name is a hash of the sources and of the installation."""
    sources = sorted(_PACKAGE.glob("*/*.erl"))
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources))
    real = Path(erl).resolve()
    digest.update(f"{real} {real.stat().st_mtime_ns}".encode())
    above = user_folder("erlang")
    folder = Path(tempfile.mkdtemp(prefix="adebug-")) if above is None else above / digest.hexdigest()[:16]
    if not all((folder / f"{path.stem}.beam").is_file() for path in sources):
        _compile(erlc, sources, folder)
    return folder


def _compile(erlc: str, sources: list[Path], folder: Path) -> None:
    """Compiles into a temporary folder first, so that another process never sees a partial result."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix="draft-", dir=folder.parent))
    try:
        done = subprocess.run(  # noqa: S603 - our own source
            [erlc, "-o", str(draft), *map(str, sources)],
            capture_output=True,
            text=True,
            timeout=_COMPILE_TIMEOUT,
            check=False,
        )
        if done.returncode:
            raise BadInputError(f"{erlc} cannot compile the recorder: {(done.stdout + done.stderr).strip()}")
        folder.mkdir(exist_ok=True)
        for beam in draft.glob("*.beam"):
            os.replace(beam, folder / beam.name)
    except (OSError, subprocess.SubprocessError) as error:
        raise BadInputError(f"{erlc} cannot compile the recorder: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
