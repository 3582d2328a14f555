"""Colours for the terminal; a `Style` without colour returns every text unchanged."""

import os
import re
from collections.abc import Mapping

from attrs import frozen

from adebug_lsp.model.text import cells


@frozen
class Style:
    """Styles for the parts of a screen; their input must already be escaped."""

    colour: bool

    def strong(self, text: str) -> str:
        """The most important text."""
        return self._set("1", text)

    def faint(self, text: str) -> str:
        """Code that did not run, and text for orientation."""
        return self._set("2", text)

    def ran(self, text: str) -> str:
        """Code of the projection."""
        return self._set("1;36", text)

    def wrong(self, text: str) -> str:
        """Code of a verdict."""
        return self._set("1;4;31", text)

    def new(self, text: str) -> str:
        """A new value."""
        return self._set("32", text)

    def changed(self, text: str) -> str:
        """The changed part of a value."""
        return self._set("7", text)

    def _set(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def rows_of(line: str, width: int) -> int:
    """The number of screen rows that a line takes."""
    return max(1, -(-cells(_CODES.sub("", line)) // width))


_CODES = re.compile(r"\x1b\[[0-9;]*m")


def style_of(environment: Mapping[str, str] = os.environ) -> Style:
    """A style with colours, unless `NO_COLOR` is set (https://no-color.org)."""
    return Style(colour=not environment.get("NO_COLOR"))
