"""The user's choices as titles and commands, the same in lenses, code actions and messages.

Titles are plain text: some editors show icon syntax raw.
"""

from collections.abc import Iterator

from attrs import frozen

from adebug_lsp.frontends.lsp import commands
from adebug_lsp.frontends.lsp.documents import Document
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.frontends.lsp.shown_verdicts import Shown
from adebug_lsp.frontends.lsp.view import View
from adebug_lsp.frontends.shared import wording
from adebug_lsp.languages.language import Piece
from adebug_lsp.model.presentation import RESULT

_ANSWERS = {key.label.capitalize(): key.word for key in wording.ANSWER_KEYS}
_SLICES = {
    "Show what the result depends on": f"depends {RESULT}",
    "Show what depends on the result": f"affects {RESULT}",
}


@frozen
class Choice:
    """One thing to do."""

    title: str
    command: str
    arguments: tuple[object, ...] = ()


def answers(view: View) -> list[Choice]:
    """The choices at a question, a verdict or a dead end of this session."""
    if view.asks:
        choices = [Choice(title, commands.ANSWER, (word, view.number)) for title, word in _ANSWERS.items()]
        choices.append(Choice("Why", commands.WHY))
    elif view.dead_end:
        choices = [Choice("Ask skipped questions again", commands.ANSWER, ("skipped", view.number))]
    else:
        choices = [Choice("Why", commands.WHY)]
        choices += [Choice("Not the bug", commands.REJECT)] if view.names_bug else []
    if view.can_undo:
        choices.append(Choice("Undo", commands.UNDO))
    return [*choices, Choice("Stop", commands.STOP)]


def slices(view: View) -> list[Choice]:
    """Show what the result of the open question depends on, or what depends on it, by fading the rest."""
    if view.presentation is None or not any(row.address == RESULT for row in view.presentation.rows):
        return []
    return [Choice(title, commands.ANSWER, (words, view.number)) for title, words in _SLICES.items()]


def after(shown: Shown, view: View | None) -> list[Choice]:
    """The choices at a verdict."""
    own = view is not None and view.session == shown.saved.session and not view.asks
    choices = (
        [choice for choice in answers(view) if choice.command != commands.STOP] if own and view is not None else []
    )
    return [
        *choices,
        Choice("Verify the fix", commands.VERIFY),
        Choice("Save as test", commands.SAVE_AS_TEST),
        Choice("Forget this verdict", commands.FORGET, (shown.saved.id,)),
    ]


def runnable(server: Server, document: Document) -> Iterator[tuple[Piece, Choice]]:
    """The pieces of a document that can be run, those that failed last time first."""
    pieces = [] if document.outline is None else [piece for piece in document.outline.pieces if piece.runnable]
    failed = _failed(server, document)
    for piece in sorted(pieces, key=lambda piece: piece.tests not in failed):
        mark = " (failed last time)" if piece.tests in failed else ""
        yield piece, Choice(f"Find the bug{mark}", commands.FIND_BUG, (document.uri, piece.name))


def _failed(server: Server, document: Document) -> set[tuple[str, ...] | None]:
    """Tests of a document that failed in their last run, as pieces name them."""
    root = server.documents.root
    if root is None:
        return set()
    return {(str(root / name.partition("[")[0]),) for name in document.language.failing(root)}
