"""`python -m adebug_lsp` is the command `adebug`."""

import sys

from adebug_lsp.frontends.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
