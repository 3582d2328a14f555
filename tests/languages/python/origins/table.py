"""Writes `docs/reference/origins.md`: what a mark can be followed through. `make docs` runs it."""

from tests.languages.python.origins.constructs import constructs
from tests.support import ROOT

PAGE = ROOT / "docs" / "reference" / "origins.md"
_INTRODUCTION = """# Origins

Mark the part of a value that is wrong, and adebug asks next about the call that made it. It follows the value back
through everything that handed it on: assignments, arguments, returned values, attributes, elements, copies. `why` shows
the way: *what you marked was computed by `x * 3` at pay.py:12, then returned by bad, put into `[good(1), bad(2)]`*.

How sure that is, `why` says as well. The recording shows most hand-overs exactly: an object has an identity, and every
write to it is logged. "Most likely" means that one step comes from a model of a library function, or from finding an
equal value among its arguments. "As far as can be traced" means that the way ends at code that is not recorded.

`track ADDRESS` shows the same way without a mark, `history ADDRESS` lists every write of a variable, attribute or
element, and `track output 'text'` begins from wrong output: the call that printed it, and the value it printed.

A failed `assert` and an uncaught exception are followed in the same way, without a mark: the first question is about
the call that made the value that was checked, or the call that raised.

Every row of these tables is a test, in every strategy: a part of a result must lead to the call that made it. They are
generated from `tests/languages/python/origins` by `make docs`.
"""


def page() -> str:
    """The whole page."""
    rows = [f"| {construct.name} | `{_line(construct.body)}` | `{construct.part}` |" for construct in constructs()]
    head = "\n| construct | code | marked part |\n|---|---|---|\n"
    return _INTRODUCTION + head + "\n".join(rows) + "\n"


def _line(code: str) -> str:
    """Code in one line of a table."""
    return "; ".join(line.strip() for line in code.splitlines()).replace(":; ", ": ").replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
