"""Runs and records a program without a debugger: its output goes to the client, and the run can be ended early."""

import asyncio
import threading
from pathlib import Path

from attrs import evolve

from adebug_lsp.frontends.dap.live.launch import Launch
from adebug_lsp.frontends.dap.progress_events import Progress
from adebug_lsp.frontends.dap.protocol.dap_client import Client
from adebug_lsp.languages.language import Ended, Output


def output_to(client: Client) -> Output:
    """A function that forwards the output of a program and can be called from any thread.

    Waits until the output is sent, so that a program cannot print faster than a client reads.
    """
    loop = asyncio.get_running_loop()

    async def send(name: str, text: str) -> None:
        client.output(text, name)

    return lambda name, text: asyncio.run_coroutine_threadsafe(send(name, text), loop).result()


class Recorder:
    """One run."""

    def __init__(self, client: Client, launch: Launch) -> None:
        self._output = output_to(client)
        self._launch = launch
        self._stop = threading.Event()

    def stop(self) -> None:
        """End the run and keep its recording so far."""
        self._stop.set()

    async def record(self, out: Path, progress: Progress) -> Ended:
        """Run to the end; raises `BadInputError` if there is nothing to run."""
        request = evolve(self._launch.request(), output=self._output, stop=self._stop)
        language = self._launch.language()
        return await asyncio.to_thread(language.record, request, out, progress)
