"""The settings that a client sends with `initialize`. What makes no sense is reported and left out."""

from math import isfinite
from typing import Any

from attrs import fields, frozen

from adebug_lsp.frontends.shared.open_session import SessionOptions
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.search.registry import strategy

_ASK = ("auto", "lens", "message", "notice")
_GRANULARITIES = tuple(granularity.value for granularity in Granularity)


@frozen
class Settings:
    """All of them; docs/reference/lsp.md describes each."""

    ask: str = "auto"
    projection: bool = False
    interpreter: str | None = None
    reference: str | None = None
    strategy: str | None = None
    granularity: str | None = None
    timeout: float | None = None
    inlayHints: bool = True  # noqa: N815 (settings are written as clients write them)

    def session_options(self) -> SessionOptions:
        """Options of the sessions that this server holds."""
        return SessionOptions(self.strategy, self.granularity, reference=self.reference)


def read_settings(options: object) -> tuple[Settings, list[str]]:
    """The settings in `initializationOptions`, and what is wrong with them."""
    problems: list[str] = []
    given = options if isinstance(options, dict) else {}
    known = {field.name: field.default for field in fields(Settings)}
    kept: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            problems.append(f"there is no setting {name!r}; only {', '.join(known)}")
        elif value is not None and not _fits(name, value, known[name]):
            problems.append(f"the setting {name!r} cannot be {value!r}")
        elif value is not None:
            kept[name] = value
    return Settings(**kept), problems


def _fits(name: str, value: object, default: object) -> bool:
    match name:
        case "ask":
            return value in _ASK
        case "timeout":
            return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value > 0
        case "granularity":
            return value in _GRANULARITIES
        case "strategy":
            return isinstance(value, str) and _is_strategy(value)
    return isinstance(value, bool) if isinstance(default, bool) else isinstance(value, str)


def _is_strategy(name: str) -> bool:
    try:
        strategy(name)
    except AdebugError:
        return False
    return True
