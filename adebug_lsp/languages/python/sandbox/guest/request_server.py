"""Serves requests over standard input and output, each in a state that no other request has touched.

Where the system can fork, every request runs in a child that is killed at its time limit. Elsewhere the modules are
loaded again, and the client kills this process on timeout. The user's code sees an empty standard input, and its output
does not mix with the replies.
"""

import hashlib
import io
import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from .judge import Judge
from .modules import CannotAnswer, UserModules
from .protocol import Reply, Request
from .reexecute import Reexecutor

MOST_OUTPUT = 1 << 20
_STACK = 512 << 20
_DEEP = 200_000


def main() -> None:
    """Serves until the input ends."""
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    requests = os.fdopen(os.dup(0), "rb")
    with open(os.devnull, "r+b") as nowhere:
        for stream in (0, 1, 2):
            os.dup2(nowhere.fileno(), stream)
    sys.dont_write_bytecode = True
    judge: Judge | Reexecutor | None = None
    for line in requests:
        request = json.loads(line)
        if request["do"] == "open":
            judge, reply = _opened(request)
        elif judge is None:
            reply = {"cannot": "nothing is open"}
        else:
            reply = _isolated(judge, request)
        replies.write(json.dumps({"id": request["id"], **reply}).encode("ascii") + b"\n")


def _opened(request: Request) -> tuple[Judge | Reexecutor, Reply]:
    os.chdir(request["workspace"])
    if request.get("reexecute"):
        again = Reexecutor(request["workspace"], request["modules"], request["main"])
        return again, {"problems": sorted(again.user_modules.problems.values())}
    failed = request.get("failed", ())
    user_modules = UserModules(request["workspace"], request["modules"], request["reference"], request["texts"], failed)
    return Judge(user_modules, request["main"]), {"problems": sorted(user_modules.problems.values())}


def _isolated(judge: Judge | Reexecutor, request: Request) -> Reply:
    """The reply to a request, whose changes of state do not survive."""
    if not hasattr(os, "fork"):
        reply = _answered(judge, request)
        judge.user_modules.forget()
        return reply
    problem = _captured(lambda: judge.load(request))
    if "cannot" in problem:
        return problem
    reply = _in_child(judge, request)
    if reply.pop("compared", False) and isinstance(judge, Judge):
        judge.compare()  # otherwise every child would have to
    return reply


def _in_child(judge: Judge | Reexecutor, request: Request) -> Reply:
    """The reply, computed in a forked child."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as out:
                reply = _answered(judge, request)
                reply["compared"] = isinstance(judge, Judge) and judge.has_compared
                out.write(json.dumps(reply).encode("ascii"))
        finally:
            os._exit(0)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb", buffering=0) as source:
            data = _read(source, request["limit"])
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if data is None:
        return {"late": True}
    received: Reply = json.loads(data) if data else {"cannot": "the code ended its process"}
    return received


def _read(source: io.RawIOBase, limit: float) -> bytes | None:
    """Everything that a child writes; None on timeout."""
    end = time.monotonic() + limit
    chunks: list[bytes] = []
    while True:
        remaining = end - time.monotonic()
        if remaining <= 0 or not select.select([source], [], [], remaining)[0]:
            return None
        chunk = source.read(1 << 16)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)


def _answered(judge: Judge | Reexecutor, request: Request) -> Reply:
    """Computes the reply on a thread with a large stack, for deeply nested values."""
    replies: list[Reply] = []
    threading.stack_size(_STACK)
    sys.setrecursionlimit(_DEEP)
    thread = threading.Thread(target=lambda: replies.append(_captured(lambda: judge.answer(request))))
    thread.start()
    thread.join()
    return replies[0]


def _captured(work: Callable[[], Reply | None]) -> Reply:
    """Runs work with streams of its own, and adds the output to the reply."""
    output = Sink()
    kept = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(output, encoding="utf-8", errors="backslashreplace", write_through=True)
    sys.stderr = io.TextIOWrapper(Sink(), encoding="utf-8", errors="backslashreplace", write_through=True)
    try:
        reply: Reply = work() or {}
        sys.stdout.flush()
        reply["output"] = output.text()
    except CannotAnswer as error:
        reply = {"cannot": str(error), "final": error.final}
    except (RecursionError, MemoryError) as error:
        reply = {"cannot": f"a value is too large or too deep ({type(error).__name__})"}
    except Exception as error:
        reply = {"cannot": f"adebug failed here, please report it: {type(error).__name__}: {error}"}
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
    return reply


class Sink(io.RawIOBase):
    """Takes any amount of output; keeps its beginning, and a hash of the rest for comparison."""

    def __init__(self) -> None:
        super().__init__()
        self._beginning = bytearray()
        self._rest = hashlib.sha256()
        self._more = 0

    def writable(self) -> bool:
        """See `RawIOBase`."""
        return True

    def write(self, data: Any) -> int:
        """See `RawIOBase`."""
        taken = bytes(data)
        room = MOST_OUTPUT - len(self._beginning)
        self._beginning += taken[:room]
        if len(taken) > room:
            self._rest.update(taken[room:])
            self._more += len(taken) - room
        return len(taken)

    def text(self) -> str:
        """The output, with a hash in place of the part beyond the limit."""
        text = self._beginning.decode("utf-8", "backslashreplace")
        return text if not self._more else f"{text}... {self._more} bytes more, {self._rest.hexdigest()}"
