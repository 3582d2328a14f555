"""Location of the cache of instrumented code: the user's cache folder, never a workspace."""

from pathlib import Path

from adebug_lsp.languages.user_cache import user_folder


def cache_folder() -> Path | None:
    """The cache folder for instrumented code; None if the user has no cache folder."""
    return user_folder("python")
