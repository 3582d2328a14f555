"""`adebug dap`: one debug session over standard input and output, or one for each client that connects to a port."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress

from adebug_lsp.frontends.dap.adapter import Adapter
from adebug_lsp.frontends.dap.protocol import channel
from adebug_lsp.model.errors import BadInputError

HOST = "127.0.0.1"
"""Clients can run programs, so only this computer may connect."""


def serve(port: int | None) -> int:
    """Serve until the client disconnects (standard streams), or until a signal (port)."""
    asyncio.run(_until_signal(_over_standard_streams() if port is None else _on_port(port)))
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # a signal from now on is too late: the interpreter ends without a handler
    return 0


async def _until_signal(serving: Coroutine[None, None, None]) -> None:
    """Serve until a signal, which also ends the program that is being recorded.

    nvim-dap interrupts the adapter at the end of every session, and complains if it ends with an error. So an
    interrupt is not an error, even while the loop ends, when a handler of the loop would be gone.
    """
    task, loop = asyncio.ensure_future(serving), asyncio.get_running_loop()

    def end(*_signal: object) -> None:
        with suppress(RuntimeError):  # the loop has ended already
            loop.call_soon_threadsafe(task.cancel)

    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    with suppress(asyncio.CancelledError):
        await task


async def _over_standard_streams() -> None:
    await Adapter(channel.of_standard_streams()).serve()


async def _on_port(port: int) -> None:
    sessions: set[asyncio.Task[None]] = set()

    async def serve_client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = asyncio.ensure_future(_session(reader, writer))
        sessions.add(session)
        session.add_done_callback(sessions.discard)

    try:
        server = await asyncio.start_server(serve_client, HOST, port)
    except (OSError, OverflowError) as error:
        raise BadInputError(f"--port {port}: {error}") from error
    print(f"adebug dap: listening on {HOST}:{server.sockets[0].getsockname()[1]}", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        server.close()
        for session in sessions:
            session.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)


async def _session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await Adapter(channel.of_socket(reader, writer)).serve()
        with suppress(OSError):
            await writer.drain()
    finally:
        writer.close()
