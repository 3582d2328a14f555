"""Runs and records a program without a debugger: its output goes to the client, and the run can be ended early."""

import asyncio
import threading
from functools import partial
from pathlib import Path

from attrs import evolve

from adebug_lsp.frontends.dap.live.launch import Launch
from adebug_lsp.frontends.dap.progress_events import Progress
from adebug_lsp.frontends.dap.protocol.dap_client import Client
from adebug_lsp.frontends.shared.recordings import Recordings, record
from adebug_lsp.languages.language import Ended, Output, Request, TestsInterruptedError

_SECONDS_AGAIN = 5.0
"""For how long a test is recorded that was ended while it ran unrecorded: it may not end by itself."""


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
        self._closing = False

    def stop(self) -> None:
        """End the run for good."""
        self._closing = True
        self._stop.set()

    def find(self) -> None:
        """End the run, and keep its recording so far to be asked about."""
        self._stop.set()

    async def record(self, out: Path, progress: Progress) -> Ended:
        """Run to the end and keep the recording; raises `BadInputError` where there is nothing to run or to ask."""
        try:
            return await self._record(self._launch.request(), out, progress, self._launch.whole)
        except TestsInterruptedError as error:
            if self._closing or not error.running:
                raise
            # It ran unrecorded: now it is recorded for a while, unless it is ended again.
            self._stop = threading.Event()
            request = evolve(self._launch.request(), selected=(error.running,), timeout=_SECONDS_AGAIN)
            return await self._record(request, out, progress, whole=True)

    async def _record(self, request: Request, out: Path, progress: Progress, whole: bool) -> Ended:
        request = evolve(request, output=self._output, stop=self._stop)
        recordings, language = Recordings(self._launch.workspace), self._launch.language()
        action = partial(record, recordings, out, language, request, progress, test=self._launch.test, whole=whole)
        return (await asyncio.to_thread(action)).ended
