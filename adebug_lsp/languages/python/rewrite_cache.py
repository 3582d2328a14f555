"""Where rewritten code is kept: in the user's own cache folder, never in a workspace."""

from pathlib import Path

from adebug_lsp.languages.user_cache import user_folder


def cache_folder() -> Path | None:
    """The folder for rewritten code; None where the user has no place for such files."""
    return user_folder("python")
