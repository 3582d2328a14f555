"""A separate VM that answers requests: one for the reference version, one for rules.

Requests and answers are external terms with a 4-byte length prefix (`{packet, 4}`, https://www.erlang.org/doc/apps/erts/erlang.html#open_port/2).
The VM prints nothing, and is killed if it does not answer in time.
"""

import os
import struct
import subprocess
import threading
from typing import Any

from attrs import frozen

from adebug_lsp.languages.erlang.reading.terms import Atom, Term, decode, encode
from adebug_lsp.languages.erlang.recorder.otp import compiled, find_erlang
from adebug_lsp.model.errors import OracleError

_LENGTH = struct.Struct(">I")


@frozen(eq=False)
class Vm:
    """A running VM; close it after use."""

    purpose: str
    """Its name in error messages."""
    process: "subprocess.Popen[bytes]"

    @classmethod
    def start(cls, purpose: str) -> "Vm":
        """Start a VM; raises `BadInputError` if Erlang is not installed."""
        erl, erlc = find_erlang()
        start = ["-noshell", "-noinput", "+Bd", "-pa", str(compiled(erl, erlc)), "-s", "adebug_reference", "main"]
        environment = {**os.environ, "ERL_CRASH_DUMP_BYTES": "0"}  # else a crash leaves a file in the user's folder
        pipe = subprocess.PIPE
        return cls(purpose, subprocess.Popen([erl, *start], stdin=pipe, stdout=pipe, env=environment))  # noqa: S603

    def ask(self, request: bytes, limit: float | None = None) -> Any:
        """Return the answer to a request; raises `OracleError` if none comes within `limit` seconds."""
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            raise OracleError(f"{self.purpose} has no connection")
        timer = None if limit is None else threading.Timer(limit, self.process.kill)
        try:
            if timer is not None:
                timer.start()
            stdin.write(_LENGTH.pack(len(request)) + request)
            stdin.flush()
            (length,) = _LENGTH.unpack(stdout.read(_LENGTH.size))
            answer = stdout.read(length)
            if len(answer) < length:
                raise OracleError(f"{self.purpose} ended while answering")
            return decode(answer)
        except (OSError, struct.error) as error:
            raise OracleError(f"{self.purpose} ended: {error}") from error
        finally:
            if timer is not None:
                timer.cancel()

    def close(self) -> None:
        """Kill the VM."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


def encode_request(named: dict[str, Term]) -> bytes:
    """Encode a request as the map that `adebug_reference` expects."""
    return encode({Atom(key): value for key, value in named.items()})
