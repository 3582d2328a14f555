"""Diagnostics: verdicts as errors; unexecuted code of the routine in question as unnecessary, which editors fade."""

from collections.abc import Iterator

from lsprotocol import types

from adebug_lsp.frontends.lsp.features.checks import Checks
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.frontends.lsp.shown_verdicts import Shown
from adebug_lsp.frontends.lsp.view import ChainAnswer
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.languages.language import Severity

_SOURCE = "adebug"
Publication = tuple[str, types.Diagnostic]
"""The URI of a document and a diagnostic for it."""


def register(server: Server) -> None:
    """Publish whenever the session, the store or a text has changed."""
    published: dict[str, list[types.Diagnostic]] = {}

    def publish(again: str = "") -> None:
        """Publish changes, and everything on document `again`: some clients drop diagnostics that they do not show."""
        now: dict[str, list[types.Diagnostic]] = {}
        for uri, diagnostic in (*_all(server), *_remarks(checks)):
            now.setdefault(uri, []).append(diagnostic)
        for uri in {**published, **now}:
            if published.get(uri, []) != now.get(uri, []) or uri == again:
                params = types.PublishDiagnosticsParams(uri, now.get(uri, []))
                server.text_document_publish_diagnostics(params)
        published.clear()
        published.update(now)

    server.changed.append(publish)
    checks = Checks(server, publish)
    server.checked = checks.of

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.documents.at(params.text_document.uri)
        publish(again=params.text_document.uri)
        checks.schedule(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        checks.schedule(params.text_document.uri)
        if published:
            publish()
        for feature in server.edited:
            feature()

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.documents.at(params.text_document.uri, reparse=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        checks.forget(params.text_document.uri)
        if published:
            publish()


def _all(server: Server) -> Iterator[Publication]:
    for shown in server.shown:
        yield from _verdict(server, shown)
    if _client(server).tag_support is not None:
        yield from _faded(server)


_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.UNUSED: types.DiagnosticSeverity.Hint,
}


def _remarks(checks: Checks) -> Iterator[Publication]:
    """The remarks of checks, as diagnostics."""
    for document in checks.documents:
        checked = checks.of(document)
        for remark in () if checked is None else checked.remarks:
            is_unused = remark.severity is Severity.UNUSED
            yield (
                document.uri,
                types.Diagnostic(
                    document.to_client(remark.range),
                    remark.message,
                    severity=_SEVERITIES[remark.severity],
                    source=_SOURCE,
                    tags=[types.DiagnosticTag.Unnecessary] if is_unused else None,
                ),
            )


def _client(server: Server) -> types.PublishDiagnosticsClientCapabilities:
    of_text = server.client_capabilities.text_document
    capabilities = None if of_text is None else of_text.publish_diagnostics
    return capabilities or types.PublishDiagnosticsClientCapabilities()


def _verdict(server: Server, shown: Shown) -> Iterator[Publication]:
    """The diagnostic of a saved verdict, if its code is in a known document."""
    saved = shown.saved
    located = saved.location and server.documents.place(saved.location, shown.sources)
    if not located:
        return
    document, place, changed = located
    message = f"{saved.explanation or saved.text}{' (changed since: verify the fix)' if changed else ''}"
    related = [r for answer in shown.chain if (r := _related(server, answer, shown.sources))]
    if not _client(server).related_information:
        message = "\n".join([message, *(f"- {answer.text}" for answer in shown.chain)])
    diagnostic = types.Diagnostic(
        document.to_client(place),
        message,
        severity=types.DiagnosticSeverity.Error,
        code=saved.kind.value,
        source=_SOURCE,
        related_information=related if _client(server).related_information else None,
        data={"verdict": saved.id},
    )
    yield document.uri, diagnostic


def _related(server: Server, answer: ChainAnswer, sources: Sources) -> types.DiagnosticRelatedInformation | None:
    located = None if answer.place is None else server.documents.place(answer.place, sources)
    if located is None:
        return None
    document, place, _changed = located
    return types.DiagnosticRelatedInformation(types.Location(document.uri, document.to_client(place)), answer.text)


def _faded(server: Server) -> Iterator[Publication]:
    """Hints that make editors fade the code that did not run, or that is outside of a slice."""
    view = server.view
    for location in () if view is None else view.unexecuted:
        located = server.documents.place(location, view.sources) if view is not None else None
        if located is not None and not located[2]:
            diagnostic = types.Diagnostic(
                located[0].to_client(located[1]),
                wording.OUTSIDE_SLICE if view is not None and view.shows_slice else wording.NOT_RUN,
                severity=types.DiagnosticSeverity.Hint,
                source=_SOURCE,
                tags=[types.DiagnosticTag.Unnecessary],
            )
            yield located[0].uri, diagnostic
