"""Holds a session in the output of a cell with buttons of ipywidgets; the kernel stays free meanwhile."""

import html
from typing import Any

import ipywidgets as widgets  # type: ignore[import-untyped]

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.notebook.inline_prompt import said
from adebug_lsp.frontends.notebook.page import put, show
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.open_session import OpenSession, SessionTarget

_AFTER_VERDICT = ("reject", "zoom", "undo")
_COMMANDS = ("undo", "redo", "why", "zoom")
_STYLES = {"yes": "success", "no": "danger"}
_KEPT = "The session is kept: %adebug goes on with it."


class AnswerButtons:
    """The page, a button for each common answer, and a line for all others.

    The page is an output, not a widget, so that a saved notebook shows where the search ended.
    """

    def __init__(self, open_session: OpenSession[SessionTarget]) -> None:
        self._open_session = open_session
        self.buttons = {key.word: self._button(key.word, key.label) for key in wording.ANSWER_KEYS}
        others = [key for key in wording.OTHER_KEYS if key.word in _COMMANDS]
        self.buttons |= {key.word: self._button(key.word, key.label) for key in others}
        self.buttons["reject"] = self._button("reject", "not the bug")
        placeholder = "other answers: expected 12, mark result[1], help ..."
        self.line = widgets.Text(placeholder=placeholder, continuous_update=False)
        self.line.observe(self._typed, names="value")
        self.messages = widgets.HTML(f"<pre>{html.escape(wording.introduction(open_session.session))}</pre>")
        self._handle = show(open_session)
        self._box = widgets.VBox([widgets.HBox(list(self.buttons.values())), self.line, self.messages])
        self._enable()
        put(self._box)

    def _button(self, word: str, label: str) -> widgets.Button:
        button = widgets.Button(description=label, button_style=_STYLES.get(word, ""), layout={"width": "auto"})
        button.on_click(lambda _button: self.say(word))
        return button

    def _typed(self, change: dict[str, Any]) -> None:
        if change["new"]:
            self.line.value = ""
            self.say(change["new"])

    def say(self, line: str) -> None:
        """Take an answer, and show what follows from it."""
        messages = said(self._open_session, line)
        text = "\n".join(map(escape, [_KEPT] if messages is None else messages))
        self.messages.value = f"<pre>{html.escape(text)}</pre>"
        show(self._open_session, self._handle)
        self._enable()

    def _enable(self) -> None:
        """Show the buttons that have a meaning now."""
        ended = self._open_session.has_verdict
        for word, button in self.buttons.items():
            useful = word in _AFTER_VERDICT if ended else word != "reject"
            button.layout.display = "" if useful else "none"
