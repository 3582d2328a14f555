"""`[tool.adebug]` in pyproject.toml: which files are recorded, how much of them, and which routines are trusted."""

import sys
from pathlib import Path
from typing import Any

from adebug_lsp.model.errors import BadInputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LISTS = ("include", "exclude", "trust")
_KNOWN = (*_LISTS, "detailed")


def read_settings(workspace: Path) -> dict[str, list[str] | int]:
    """The settings of a workspace; empty without a `[tool.adebug]` table."""
    file = workspace / "pyproject.toml"
    try:
        with file.open("rb") as stream:
            document: Any = tomllib.load(stream)
    except FileNotFoundError:
        return {}
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BadInputError(f"{file}: cannot be read: {error}") from error
    table: Any = document
    for name in ("tool", "adebug"):
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise BadInputError(f"{file}: {name} must be a table")
    for name, value in table.items():
        if name not in _KNOWN:
            raise BadInputError(f"{file}: [tool.adebug] has no setting {name!r}; it has {', '.join(_KNOWN)}")
        if name not in _LISTS:
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise BadInputError(f"{file}: [tool.adebug] {name} must be a non-negative integer")
        elif not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise BadInputError(f"{file}: [tool.adebug] {name} must be a list of strings")
    return dict(table)
