"""The client as the adapter sees it: sends numbered messages, and awaits responses to the few requests of our own."""

import asyncio
from collections.abc import Mapping
from typing import Any

from adebug_lsp.frontends.dap.protocol.channel import Channel
from adebug_lsp.frontends.dap.protocol.framing import Message
from adebug_lsp.model.errors import AdebugError, StaleReferenceError

Body = dict[str, Any]

_CUSTOM = "adebug/"
DEFECT = 99
"""The `id` of an error response without an error class: a bug in adebug, or a cancelled request."""
_UNASKED = frozenset({"evaluate", "exceptionInfo", "scopes", "source", "stackTrace", "threads", "variables"})
"""Requests that editors send on their own, possibly after the replay has moved on: errors are not shown to the user."""


class Client:
    """Sends responses, events and requests; for the event loop only."""

    def __init__(self, channel: Channel) -> None:
        self.facts: Mapping[str, Any] = {}
        """The arguments of `initialize`: the client's capabilities."""
        self.custom_events = False
        """Whether it wants custom events; some clients fail on unknown ones."""
        self._channel = channel
        self._seq = 0
        self._waiting: dict[int, asyncio.Future[Message]] = {}

    def can(self, capability: str) -> bool:
        """Whether the client announced a capability."""
        return self.facts.get(capability) is True

    def respond(self, request: Message, body: Mapping[str, object] | None = None) -> None:
        """Answer a request with success."""
        self._answer(request, {"success": True} | ({} if body is None else {"body": body}))

    def refuse(
        self, request: Message, why: str, *, cancelled: bool = False, kind: type[AdebugError] | None = None
    ) -> None:
        """Send an error response; the user sees its message unless the editor sent the request on its own.

        `kind` is the class of the error: its code and slug are part of the response. A stale reference is not shown:
        the client asked while the replay moved on, and will ask again when it is notified.
        """
        command = request.get("command")
        is_unasked = (isinstance(command, str) and command in _UNASKED) or kind is StaleReferenceError
        shown = not cancelled and not is_unasked
        error = {"id": DEFECT, "format": "{why}", "variables": {"why": why}, "showUser": shown}
        if kind is not None:
            variables = {"why": why, "slug": kind.slug}
            error |= {"id": kind.code, "format": "{why} [{slug}]", "variables": variables}
        self._answer(request, {"success": False, "message": why, "body": {"error": error}})

    def event(self, name: str, body: Mapping[str, object] | None = None) -> None:
        """Send an event."""
        if name.startswith(_CUSTOM) and not self.custom_events:
            return
        self.send({"type": "event", "event": name} | ({} if body is None else {"body": body}))

    def output(self, text: str, category: str = "console", **where: object) -> None:
        """Show a text, which must end with a newline."""
        self.event("output", {"category": category, "output": text, **where})

    async def request(self, command: str, arguments: object) -> Message:
        """Send a request to the client; returns its response."""
        seq = self.send({"type": "request", "command": command, "arguments": arguments})
        self._waiting[seq] = asyncio.get_running_loop().create_future()
        return await self._waiting[seq]

    def take_response(self, message: Message) -> None:
        """Take the response to one of our requests; others are dropped."""
        seq = message.get("request_seq")
        waiting = self._waiting.pop(seq, None) if isinstance(seq, int) else None
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    def send(self, message: Message) -> int:
        """Send a message with the next number."""
        self._seq += 1
        self._channel.send({**message, "seq": self._seq})
        return self._seq

    def _answer(self, request: Message, answer: Message) -> None:
        seq, command = request.get("seq"), request.get("command")
        self.send(
            {
                "type": "response",
                "request_seq": seq if isinstance(seq, int) else 0,
                "command": command if isinstance(command, str) else "",
                **answer,
            }
        )
