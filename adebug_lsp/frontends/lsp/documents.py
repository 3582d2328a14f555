"""The documents of a workspace as the editor has them, their outlines, and recorded ranges mapped to them."""

from collections.abc import Sequence
from pathlib import Path

from attrs import define
from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import Workspace

from adebug_lsp.frontends.shared.edits import LineMap
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Language, Outline
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.source import Location, Position, Range

_PATH = "the document"


@define
class Document:
    """One text, with the outline of its last version without syntax errors."""

    uri: str
    file: Path
    language: Language
    text: str = ""
    sources: Sources = Sources({})
    outline: Outline | None = None

    def update(self, text: str, *, reparse: bool = False) -> None:
        """Take a new text; `reparse` ignores the last outline."""
        if text == self.text and self.outline is not None and not reparse:
            return
        self.text, self.sources = text, Sources({_PATH: text})
        outline = self.language.outline(self.file, text, None if reparse else self.outline)
        self.outline = outline or self.outline

    @property
    def lines(self) -> Sequence[str]:
        """The text, line by line."""
        return self.sources.lines(_PATH)

    def to_client(self, place: Range) -> types.Range:
        """A range as clients count."""
        lsp_range = self.sources.lsp_range(Location(_PATH, place))
        return types.Range(types.Position(**lsp_range["start"]), types.Position(**lsp_range["end"]))

    def position(self, position: types.Position) -> Position:
        """A client's position as we count."""
        return self.sources.position(_PATH, position.line, position.character)

    def range(self, place: types.Range) -> Range:
        """A client's range as we count."""
        start = self.position(place.start)
        return Range(start, max(start, self.position(place.end)))


class Documents:
    """Every document that was read: open in the editor, or on disk."""

    def __init__(self) -> None:
        self.root: Path | None = None
        self.open: Workspace | None = None
        self._known: dict[str, Document] = {}
        self._moved: dict[tuple[str, str], tuple[str, LineMap]] = {}
        """Cache by URI and recorded text: the current text, and the line map."""

    def at(self, uri: str, *, reparse: bool = False) -> Document | None:
        """The current document with a URI; None if its language is unknown or it cannot be read."""
        document = self._known.get(uri)
        if document is None:
            try:
                path = to_fs_path(uri)
                document = Document(uri, Path(path or ""), registry.language_of(Path(path or "")))
            except (BadInputError, ValueError):  # of no known language, or no URI at all
                return None
            self._known[uri] = document
        text = self._text(uri, document.file)
        if text is None:
            return None
        document.update(text, reparse=reparse)
        return document

    def of(self, path: str) -> Document | None:
        """The document of a path relative to the workspace."""
        return None if self.root is None or path.startswith("<") else self.at(self.uri(path))

    def uri(self, path: str) -> str:
        """The URI of a path relative to the workspace, as the editor writes it."""
        file = Path(self.root or "", path)
        for uri, document in self._known.items():
            if document.file == file:
                return uri
        return from_fs_path(str(file)) or ""

    def path(self, document: Document) -> str:
        """The path of a document relative to the workspace, as recordings have it."""
        root = self.root
        inside = root is not None and document.file.is_relative_to(root)
        return document.file.relative_to(root).as_posix() if root is not None and inside else document.file.as_posix()

    def moved(self, document: Document, sources: Sources) -> LineMap | None:
        """The line map from the recorded text of a document to its current text; None: it was not recorded."""
        path = self.path(document)
        if path not in sources.texts:
            return None
        key = (document.uri, sources.texts[path])
        known = self._moved.get(key)
        if known is None or known[0] != document.text:
            kept = self._moved.items()
            self._moved = {k: v for k, v in kept if k[0] != document.uri or v[0] == document.text}
            known = self._moved[key] = (document.text, LineMap(sources.lines(path), document.lines))
        return known[1]

    def place(self, location: Location, sources: Sources) -> tuple[Document, Range, bool] | None:
        """The document of a recorded place, its current range, and whether the code has changed."""
        document = self.of(location.path)
        if document is None:
            return None
        moved = self.moved(document, sources)
        current_range, changed = (location.range, False) if moved is None else moved.range(location.range)
        return document, current_range, changed

    def _text(self, uri: str, file: Path) -> str | None:
        if self.open is not None and uri in self.open.text_documents:
            return str(self.open.text_documents[uri].source)
        try:
            return file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
