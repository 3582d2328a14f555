"""`adebug lsp`: serves an editor. The libraries for it are loaded only here: they take longer than most commands."""

from argparse import Namespace


def lsp(options: Namespace) -> int:
    """Serve one client until it goes."""
    from adebug_lsp.lsp.serving import serve  # noqa: PLC0415 (see above)

    return serve(options.tcp)
