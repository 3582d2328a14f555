"""Shows the code in question, and asks by message in clients without code lenses."""

import asyncio

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound

from adebug_lsp.frontends.lsp.choices import Choice, answers
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.frontends.lsp.view import View
from adebug_lsp.frontends.shared.positions import shown

PAUSE = 0.1
"""Seconds between the response to a command and a question by message."""


def register(server: Server) -> None:
    """Show every new question or verdict of the session."""
    last: list[View | None] = [None]

    def ask() -> None:
        view = server.view
        if view is last[0]:
            return
        last[0] = view
        if view is None or view.followed:
            return
        if server.shows_documents:
            server.spawn(_show(server, view))
        if server.settings.ask == "notice":
            server.spawn(_notify(server, view))
        elif _by_message(server):
            server.spawn(_ask(server, view))

    server.changed.append(ask)


def _by_message(server: Server) -> bool:
    if server.settings.ask == "auto":
        of_text = server.client_capabilities.text_document
        return of_text is None or of_text.code_lens is None
    return server.settings.ask == "message"


async def _show(server: Server, view: View) -> None:
    """Open the file of the question at its place."""
    located = None if view.place is None else server.documents.place(view.place, view.sources)
    if located is not None:
        document, place, _changed = located
        params = types.ShowDocumentParams(document.uri, take_focus=True, selection=document.to_client(place))
        await server.window_show_document_async(params)


async def _notify(server: Server, view: View) -> None:
    """Show the question as a message without buttons, for the setting `notice`; the answers are code actions."""
    await _until_answered(server)
    if server.view is view and view.asks:
        server.show_message(_message(server, view))


async def _ask(server: Server, view: View) -> None:
    """Ask by message; a reply is ignored if the session has moved on."""
    await _until_answered(server)
    if server.view is not view:
        return
    choices = {choice.title: choice for choice in answers(view)}
    actions = [types.MessageActionItem(title) for title in choices]
    params = types.ShowMessageRequestParams(types.MessageType.Info, _message(server, view), actions)
    try:
        reply = await server.window_show_message_request_async(params)
    except JsonRpcMethodNotFound:
        await _notify(server, view)  # Helix
        return
    except JsonRpcException:
        return  # Emacs: the user cancelled the prompt
    choice = None if reply is None else choices.get(reply.title)
    if choice is not None and server.view is view:
        await _do(server, choice)
        if choice.title == "Why" and server.view is view:
            await _ask(server, view)


async def _until_answered(server: Server) -> None:
    """Wait until no command is in progress: Emacs closes its prompt when the response to a command arrives."""
    while server.commands:
        await asyncio.sleep(PAUSE)
    await asyncio.sleep(PAUSE)


def _message(server: Server, view: View) -> str:
    """The question, with its location if the client cannot be sent there."""
    if view.place is None or server.shows_documents:
        return view.message
    return f"{shown(view.place)}: {view.message}"


async def _do(server: Server, choice: Choice) -> None:
    await server.protocol.fm.commands[choice.command](*choice.arguments)
