"""Renders a question or a verdict for a notebook: as plain text, and as HTML with the source highlighted."""

import html
import re
from collections.abc import Callable
from typing import Any

from IPython.display import DisplayHandle
from IPython.display import display as _display

from adebug_lsp.frontends.cli.modes import screen
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.shared.open_session import OpenSession, SessionTarget
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session

put: Callable[..., Any] = _display
"""IPython's `display`, which has no types."""
_WIDTH, _CODE = 110, 24
"""Columns of text, and lines of code, of a page."""
_CSS = {
    "1": "font-weight:bold",
    "2": "opacity:.55",
    "1;36": "font-weight:bold;color:#0e7c86",
    "1;4;31": "font-weight:bold;text-decoration:underline;color:#c62828",
    "31": "color:#c62828",
    "32": "color:#2e7d32",
    "7": "background:#ffe08a;color:#222",
}
"""CSS for each code that a `Style` writes."""
_CODE_OR_TEXT = re.compile(r"\x1b\[([0-9;]*)m|([^\x1b]+)")


def lines_of_page(session: Session, style: Style) -> list[str]:
    """The session's question, verdict or dead end as lines."""
    outcome = session.outcome
    if isinstance(outcome, Ask):
        return screen.question(outcome.question, session, style, _WIDTH, _CODE, with_keys=False)
    return screen.verdict(outcome, session, style, _WIDTH, _CODE, with_keys=False)


def page(open_session: OpenSession[SessionTarget]) -> dict[str, str]:
    """The page as a MIME bundle; front ends show the richest type that they know."""
    session = open_session.session
    return {
        "text/plain": "\n".join(lines_of_page(session, Style(colour=False))),
        "text/html": as_html(lines_of_page(session, Style(colour=True))),
    }


def show(open_session: OpenSession[SessionTarget], handle: DisplayHandle | None = None) -> DisplayHandle:
    """Show the page, in the place of an earlier one if there is a handle; returns the handle."""
    bundle = page(open_session)
    if handle is None:
        made: DisplayHandle = put(bundle, raw=True, display_id=True)
        return made
    handle.update(bundle, raw=True)  # type: ignore[no-untyped-call]
    return handle


def as_html(lines: list[str]) -> str:
    """Lines with the codes of a `Style`, as HTML."""
    parts = ["<pre style='line-height:1.3;white-space:pre-wrap'>"]
    for code, text in _CODE_OR_TEXT.findall("\n".join(lines)):
        if text:
            parts.append(html.escape(text))
        else:
            parts.append("</span>" if code in ("", "0") else f"<span style='{_CSS[code]}'>")
    return "".join([*parts, "</pre>"])
