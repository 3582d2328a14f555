"""The server behind `warm_start`: imports adebug once, then forks for every command. It has a single thread.

A command whose environment has variables that only a new interpreter honours is left to its client.
"""

import gc
import io
import marshal
import os
import runpy
import selectors
import signal
import socket
import sys
from importlib import import_module
from types import FrameType

from attrs import frozen

FIXED = ("ADEBUG_PURE", "PYTHONHASHSEED", "PYTHONWARNINGS", "PYTHONUTF8", "LC_ALL")
"""Variables that only a new interpreter honours."""
IMPORTED = (
    "adebug_lsp.frontends.cli.modes.json_lines",
    "adebug_lsp.frontends.cli.commands.run",
    "adebug_lsp.frontends.cli.commands.open",
    "adebug_lsp.frontends.dap.dap_server",
    "adebug_lsp.frontends.lsp.server",
    "adebug_lsp.languages.erlang.language",
    "adebug_lsp.languages.haskell.language",
    "adebug_lsp.languages.python.language",
)


@frozen
class Job:
    """A command for a fork."""

    module: str
    arguments: list[str]
    folder: str
    environment: dict[str, str]
    streams: list[int]

    def run(self) -> None:
        """Run the module, as a new interpreter would."""
        for number, stream in enumerate(self.streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.environment)
        path = self.environment.get("PYTHONPATH", "").split(os.pathsep)
        sys.path[:0] = [self.folder, *filter(None, path)]
        sys.argv = [self.module, *self.arguments]
        sys.dont_write_bytecode = bool(self.environment.get("PYTHONDONTWRITEBYTECODE"))
        encoding, _, errors = self.environment.get("PYTHONIOENCODING", "utf-8").partition(":")
        sys.stdin = open(  # noqa: SIM115 - open to the end
            0, encoding=encoding or "utf-8", errors=errors or None, closefd=False
        )
        sys.stdout = _output(1, encoding, errors or "strict")
        sys.stderr = _output(2, encoding, "backslashreplace")
        runpy.run_module(self.module, run_name="__main__", alter_sys=True)


def _output(number: int, encoding: str, errors: str) -> io.TextIOWrapper:
    lines = number == 2 or os.isatty(number)
    return io.TextIOWrapper(open(number, "wb", closefd=False), encoding or "utf-8", errors, line_buffering=lines)


class Server:
    """Forks; passes the end of each fork on to its client, and ends the fork of a client that is gone."""

    def __init__(self, path: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(100)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(0, selectors.EVENT_READ)
        self._clients: dict[int, socket.socket] = {}

    def next_job(self) -> Job:
        """Serve; returns in each fork, with what it has to do."""
        ended, wakeup = os.pipe()
        os.set_blocking(wakeup, False)
        os.set_blocking(ended, False)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _notice)
        self._selector.register(ended, selectors.EVENT_READ)
        while True:
            for key, _events in self._selector.select():
                if key.fileobj is self._listener:
                    job = self._accept()
                    if job is not None:
                        signal.set_wakeup_fd(-1)
                        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                        os.close(ended)
                        os.close(wakeup)
                        return job
                elif key.fileobj == ended:
                    os.read(ended, 1 << 16)
                    self._pass_ends_on()
                elif key.fileobj == 0:
                    sys.exit()  # the tests have ended
                else:
                    os.kill(key.data, signal.SIGKILL)  # its client is gone
                    self._selector.unregister(key.fileobj)

    def _accept(self) -> Job | None:
        """Fork for a client; returns the job in the fork, None in the server."""
        client, _address = self._listener.accept()
        header, streams, _flags, _address = socket.recv_fds(client, 8, 3)
        request, left = bytearray(), int.from_bytes(header, "little")
        while len(request) < left:
            block = client.recv(left - len(request))
            if not block:
                break
            request += block
        (module, *arguments), folder, environment = marshal.loads(request)
        job = Job(module, arguments, folder, environment, streams)
        process = 0
        if all(job.environment.get(name, "") in ("", os.environ.get(name, "")) for name in FIXED):
            process = os.fork()
            if process == 0:
                for inherited in (self._listener, client, *self._clients.values()):
                    inherited.close()
                self._selector.close()
                return job
        client.sendall(process.to_bytes(8, "little"))
        for stream in streams:
            os.close(stream)
        if process:
            self._clients[process] = client
            self._selector.register(client, selectors.EVENT_READ, process)
        else:
            client.close()
        return None

    def _pass_ends_on(self) -> None:
        while self._clients:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return
            client = self._clients.pop(process)
            if client in [key.fileobj for key in self._selector.get_map().values()]:
                self._selector.unregister(client)
                client.sendall(os.waitstatus_to_exitcode(status).to_bytes(8, "little", signed=True))
            client.close()


def _notice(_number: int, _frame: FrameType | None) -> None:
    """The pipe of `set_wakeup_fd` says it."""


if __name__ == "__main__":
    for name in IMPORTED:
        import_module(name)
    gc.collect()
    gc.freeze()  # so that forks share the memory of all that is imported
    Server(sys.argv[1]).next_job().run()
