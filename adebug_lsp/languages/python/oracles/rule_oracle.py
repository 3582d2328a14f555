"""Rules that a person typed, such as `sorted(result) == result`, evaluated in the sandbox on rebuilt values.

A rule can use the parameters as they were before the call, `result`, `raised`, `after.NAME` or `NAME_after` for a
parameter's object at the end, and every name of the routine's module. It is never evaluated in adebug's own process.
"""

from pathlib import Path
from types import TracebackType

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.sandbox.fragment import Fragment
from adebug_lsp.languages.python.sandbox.requests import fragment_request, open_request
from adebug_lsp.languages.python.sandbox.sandbox_process import Sandbox
from adebug_lsp.model.errors import BadAnswerError


class Rules:
    """Evaluates rules. Close it, or use it in a `with` statement; the process starts with the first rule."""

    def __init__(self, run: Run, workspace: Path, interpreter: Path) -> None:
        self._run = run
        self._sandbox = Sandbox(interpreter, open_request(run, workspace))

    def holds(self, rule: str, fragment: Fragment) -> bool | None:
        """Whether a rule holds for a call; None if undecidable. Raises `BadAnswerError` if it is malformed."""
        if fragment.what != "routine":
            return None
        reply = self._sandbox.ask({**fragment_request(fragment, self._run), "do": "rule", "rule": rule})
        if "bad" in reply:
            raise BadAnswerError(f"the rule {rule!r} cannot be read: {reply['bad']}")
        verdict = reply.get("holds")
        return verdict if isinstance(verdict, bool) else None

    def close(self) -> None:
        """End the process."""
        self._sandbox.close()

    def __enter__(self) -> "Rules":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()
