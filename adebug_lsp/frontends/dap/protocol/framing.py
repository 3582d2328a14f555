"""Messages to bytes and back: a header with `Content-Length`, an empty line, and that many bytes of JSON."""

import json
import re
from collections.abc import Iterator
from typing import Any

from adebug_lsp.model.errors import AdebugError

Message = dict[str, Any]

LONGEST = 1 << 26
"""Maximum size of a message in bytes."""
_LONGEST_HEADER = 1 << 12
_LONGEST_LENGTH = 20
"""Maximum number of digits of a length; Python refuses to parse numbers of some thousands."""
_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"^Content-Length: *(\d+)\r?$", re.IGNORECASE | re.MULTILINE)


class BadMessageError(AdebugError):
    """A client sent bytes that are not a message; the messages after it can be read."""

    slug = "bad-message"
    code = 40
    cause = "The body is not JSON, or not an object."
    remedy = "Correct the client."


class LostError(AdebugError):
    """A client sent bytes after which no message can be read; the connection ends."""

    slug = "connection-lost"
    code = 41
    cause = "A header without a valid `Content-Length`."
    remedy = "Correct the client, and connect again."


def frame(message: Message) -> bytes:
    """Encode a message."""
    body = json.dumps(message).encode("ascii")
    return b"Content-Length: %d%s%s" % (len(body), _END, body)


class Parser:
    """Splits a stream of bytes into messages."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, block: bytes) -> Iterator[Message | BadMessageError]:
        """Return the messages that are now complete; raises `LostError` if the stream is unreadable."""
        self._bytes += block
        while (body := self._next()) is not None:
            yield _read(body) if isinstance(body, bytes) else body

    def _next(self) -> bytes | BadMessageError | None:
        """The body of the next complete message; None if more bytes are needed."""
        end = self._bytes.find(_END)
        if end < 0:
            if len(self._bytes) > _LONGEST_HEADER:
                raise LostError("a message must start with a header")
            return None
        match = _LENGTH.search(self._bytes, 0, end + 1)
        start = end + len(_END)
        if match is None:
            del self._bytes[:start]
            return BadMessageError("the header of a message must have a Content-Length")
        if len(match[1]) > _LONGEST_LENGTH or int(match[1]) > LONGEST:
            raise LostError(f"a message of more than {LONGEST} bytes is too long")
        length = int(match[1])
        if len(self._bytes) < start + length:
            return None
        body = bytes(self._bytes[start : start + length])
        del self._bytes[: start + length]
        return body


def _read(body: bytes) -> Message | BadMessageError:
    """Parse the body of a message."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        return BadMessageError(f"a message is not JSON: {error}")
    if not isinstance(message, dict):
        return BadMessageError("a message must be a JSON object")
    return message
