"""Generates `docs/messages.md`, the page of error classes, from their docstrings, causes and remedies.

`python -m adebug_lsp.frontends.cli.messages_page FOLDER` writes it into a checkout of this project.
"""

import sys
from importlib import import_module
from pathlib import Path

from adebug_lsp.model.errors import AdebugError

PAGE = "docs/messages.md"
_DEFINED_IN = (
    "adebug_lsp.languages.language",
    "adebug_lsp.frontends.dap.protocol.framing",
    "adebug_lsp.frontends.lsp.record",
)
"""Modules other than `model.errors` that define error classes."""
_HEAD = """\
# Messages

<!-- generated from the error classes; make docs rewrites it -->

Every message says what happened, where, and what to do. The word in brackets is its slug: it names the kind of error
and its section here. The terminal and the language server print it after the message, `--json` has it as `slug`,
and the debug adapter's error responses contain it in `variables`, next to the number as `id`.
"""


def error_classes() -> list[type[AdebugError]]:
    """All error classes with a slug of their own, sorted by code; other classes share the slug of their base."""
    for module in _DEFINED_IN:
        import_module(module)
    classes: list[type[AdebugError]] = []
    pending: list[type[AdebugError]] = [AdebugError]
    while pending:
        error = pending.pop()
        classes.append(error)
        pending += error.__subclasses__()
    return sorted((error for error in classes if "slug" in vars(error)), key=lambda error: error.code)


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *(_section(error) for error in error_classes())])


def _section(error: type[AdebugError]) -> str:
    return f"""\
## `{error.slug}`

{(error.__doc__ or "").strip()}

- Why: {error.cause}
- What to do: {error.remedy}
- Number: {error.code}
"""


def write(folder: Path) -> None:
    """Write the page into a checkout."""
    (folder / PAGE).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
