"""Runs and records a program without a debugger: its output goes to the client, and the run can be ended early."""

import asyncio
import threading
from functools import partial
from pathlib import Path

from attrs import evolve

from adebug_lsp.frontends.dap.live.launch import Launch
from adebug_lsp.frontends.dap.progress_events import Progress
from adebug_lsp.frontends.dap.protocol.client import Client
from adebug_lsp.frontends.shared.recordings import Recordings, record
from adebug_lsp.languages.language import Ended, Output


def output_to(client: Client) -> Output:
    """Forwards the output of a program, from threads.

    Waits until it is sent, so that a program cannot print faster than a client reads.
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
        """Run to the end and keep the recording; raises `BadInputError` where there is nothing to run or to ask."""
        request = evolve(self._launch.request(), output=self._output, stop=self._stop)
        language = self._launch.language()
        recordings, test, whole = Recordings(self._launch.workspace), self._launch.test, self._launch.whole
        recorded = await asyncio.to_thread(
            partial(record, recordings, out, language, request, progress, test=test, whole=whole)
        )
        return recorded.ended
