"""`adebug lsp` and `adebug dap`: serve an editor. Their libraries are imported only here, because that is slow."""

from argparse import Namespace


def lsp(options: Namespace) -> int:
    """Serve one client until it disconnects."""
    from adebug_lsp.frontends.lsp.start import serve  # noqa: PLC0415 (see above)

    return serve(options.tcp)


def dap(options: Namespace) -> int:
    """Serve as a debug adapter."""
    from adebug_lsp.frontends.dap.dap_server import serve  # noqa: PLC0415 (other commands start faster without it)

    return serve(options.port)
