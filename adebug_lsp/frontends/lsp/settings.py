"""The settings that a client sends with `initialize`. Invalid ones are reported and dropped."""

from typing import Any

from attrs import frozen

from adebug_lsp.frontends.shared.open_session import SessionOptions
from adebug_lsp.frontends.shared.options import Where, options_of


@frozen
class Settings:
    """The settings of the server; docs/reference/lsp.md describes each."""

    ask: str = "auto"
    projection: bool = False
    interpreter: str | None = None
    reference: str | None = None
    oracleTime: float | None = None  # noqa: N815
    strategy: str | None = None
    granularity: str | None = None
    timeout: float | None = None
    inlayHints: bool = True  # noqa: N815 (settings are written as clients write them)

    def session_options(self) -> SessionOptions:
        """Options of the sessions that this server holds."""
        return SessionOptions(self.strategy, self.granularity, reference=self.reference, oracle_seconds=self.oracleTime)


def read_settings(options: object) -> tuple[Settings, list[str]]:
    """The settings in `initializationOptions`, and a message for each that is not valid and was dropped."""
    problems: list[str] = []
    declared = options_of(Where.LSP)
    valid: dict[str, Any] = {}
    for name, value in (options if isinstance(options, dict) else {}).items():
        if name not in declared:
            problems.append(f"there is no setting {name!r}; only {', '.join(declared)}")
        elif value is not None:
            problem = declared[name].problem(value)
            valid |= {} if problem else {name: value}
            problems += [f"setting {problem}"] if problem else []
    return Settings(**valid), problems
