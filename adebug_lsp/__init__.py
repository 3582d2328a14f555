"""adebug finds a bug by asking: it searches the execution tree of one run for the smallest wrong piece of source.

The packages below build on each other in one direction only; `docs/ARCHITECTURE.md` has the map, and
`tests/test_layers.py` keeps it true.
"""

__version__ = "0.1.0"


def load_ipython_extension(shell: object) -> None:
    """Register the magics; `%load_ext adebug_lsp` calls this function by its name."""
    from adebug_lsp.frontends.notebook.magics import load  # noqa: PLC0415 (IPython is optional)

    load(shell)  # type: ignore[arg-type]
