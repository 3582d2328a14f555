"""Reads a hand-made tree from a file; any problem with the file is reported in one line."""

import json
from pathlib import Path

from adebug_lsp.model.errors import BadInputError, MissingFileError
from adebug_lsp.tree.handmade import HandmadeTree, read_handmade


def load_handmade(name: str) -> HandmadeTree:
    """The tree in a JSON file."""
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise MissingFileError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInputError(f"{name}: neither a recording nor a tree: not UTF-8 text (byte {error.start})") from error
    try:
        return read_handmade(json.loads(text))
    except json.JSONDecodeError as error:
        raise BadInputError(f"{name}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise BadInputError(f"{name}: not a tree: nested too deeply") from error
    except (BadInputError, ValueError) as error:
        raise BadInputError(f"{name}: {error}") from error
