"""Assembles a recorder from the settings of a workspace."""

import sys
import time
from typing import Any

from ..instrument.instrumenter import Instrumenter
from ..native.loader import FREE_THREADED
from .recording_process import DETAILED, Recording
from .user_code import UserCode


def wire(
    out: str,
    workspace: str,
    settings: dict[str, Any],
    *,
    level: str,
    command: list[str],
    call: str | None = None,
    cache: str | None = None,
) -> tuple[UserCode, Recording, Instrumenter]:
    """Start a recording file according to the settings."""
    user_code = UserCode(workspace, settings)
    meta = {
        "language": "python",
        "python": sys.version.split()[0],
        "free_threaded": FREE_THREADED,
        "level": level,
        "workspace": user_code.workspace,
        "command": command,
        "call": call,
        "started": time.time(),
        "trust": settings.get("trust", []),
    }
    recording = Recording(out, meta, user_code.is_user_code, settings.get("detailed", DETAILED))
    instrumenter = Instrumenter(
        recording.recorder,
        full=level == "full",
        is_user_code=user_code.is_user_code,
        announce=recording.announce,
        cache=cache,
    )
    return user_code, recording, instrumenter
