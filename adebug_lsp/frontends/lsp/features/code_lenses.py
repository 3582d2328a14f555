"""Code lenses: "Find the bug" on runnable code, and the question with its answers on the code that it is about."""

from lsprotocol import types

from adebug_lsp.frontends.lsp import commands
from adebug_lsp.frontends.lsp.choices import Choice, answers, runnable
from adebug_lsp.frontends.lsp.documents import Document
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.model.source import Range

_LONGEST = 120


def register(server: Server) -> None:
    """Offer code lenses, and have them refreshed when the session moves on."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions())
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        document = server.documents.at(params.text_document.uri)
        return [] if document is None else [*_question(server, document), *_run(server, document)]

    def refresh() -> None:
        workspace = server.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            server.workspace_code_lens_refresh(None)

    server.changed.append(refresh)


def _question(server: Server, document: Document) -> list[types.CodeLens]:
    view = server.view
    if view is None or view.place is None or view.place.path != server.documents.path(document):
        return []
    located = server.documents.place(view.place, view.sources)
    if located is None:
        return []
    choices = [Choice(view.in_short(_LONGEST), commands.WHY), *(c for c in answers(view) if c.command != commands.WHY)]
    return [_lens(document, located[1], choice) for choice in choices]


def _run(server: Server, document: Document) -> list[types.CodeLens]:
    return [_lens(document, piece.head, choice) for piece, choice in runnable(server, document)]


def _lens(document: Document, place: Range, choice: Choice) -> types.CodeLens:
    line = document.to_client(Range(place.start, place.start))
    return types.CodeLens(line, types.Command(choice.title, choice.command, arguments=list(choice.arguments)))
