"""The connection to a client: standard input and output, or a local socket.

Standard input and output are hidden from all other code in this process and from its children, so that program output
cannot corrupt the protocol.
"""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import BinaryIO

from attrs import frozen

from adebug_lsp.frontends.dap.protocol.framing import BadMessageError, LostError, Message, Parser, frame

_BLOCK = 1 << 16


@frozen
class Channel:
    """A connection to a client."""

    blocks: AsyncIterator[bytes]
    write: Callable[[bytes], None]

    async def messages(self) -> AsyncIterator[Message | BadMessageError]:
        """Messages, until the other side closes or sends invalid bytes."""
        parser = Parser()
        async for block in self.blocks:
            try:
                for message in parser.feed(block):
                    yield message
            except LostError as error:
                yield BadMessageError(str(error))
                return

    def send(self, message: Message) -> None:
        """Send a message; it is dropped if the client is gone, which `messages` detects."""
        with suppress(OSError):
            self.write(frame(message))


def of_standard_streams() -> Channel:
    """The channel of a process that a client started."""
    sys.stdout.flush()
    stdin, stdout = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    out: BinaryIO = os.fdopen(stdout, "wb", buffering=0)
    return Channel(_read_in_thread(stdin), lambda data: _write_all(out, data))


def of_socket(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Channel:
    """The channel of a client that has connected."""
    return Channel(of_reader(reader), writer.write)


async def of_reader(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The bytes of a stream."""
    try:
        while block := await reader.read(_BLOCK):
            yield block
    except ConnectionError:
        return


async def _read_in_thread(file: int) -> AsyncIterator[bytes]:
    """The bytes of a file that an event loop cannot wait for on every system."""
    loop, queue = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def read() -> None:
        block = b"."
        while block:
            try:
                block = os.read(file, _BLOCK)
            except OSError:
                block = b""
            try:
                loop.call_soon_threadsafe(queue.put_nowait, block)
            except RuntimeError:  # the event loop is closed
                return

    threading.Thread(target=read, name="adebug dap input", daemon=True).start()
    while block := await queue.get():
        yield block


def _write_all(out: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[out.write(rest) :]
