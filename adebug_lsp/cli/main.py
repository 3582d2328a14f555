"""The command `adebug`: reads the arguments, calls one command, and turns every known error into one line.

Exit codes: 0 done, 1 no verdict, 2 bad usage or bad input, 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from adebug_lsp import __version__
from adebug_lsp.cli import doctor, opening, simulate
from adebug_lsp.cli.plain import complain, forgive_encodings
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.search.registry import DEFAULT, names

EPILOG = """\
examples:
  adebug open examples/sqrtest.json                find the bug in a hand-made tree, by answering questions
  adebug simulate examples/sqrtest.json --all      compare the strategies on it
  adebug doctor                                    what is installed, and what to do about what is missing

Strategies: {names}.
Settings go after a colon: combined:heaviest-first=2,divide-by-yes=5 or divide-and-query-biased:loop=2,lambda=0.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    forgive_encodings()
    options = _parser().parse_args(arguments)
    try:
        code = int(options.run(options))
        sys.stdout.flush()
    except AdebugError as error:
        complain(str(error))
        return 2
    except KeyboardInterrupt:
        complain("interrupted")
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone. Keep the interpreter from complaining when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="adebug",
        description="Finds a bug by asking: is this what the code should have done?",
        epilog=EPILOG.format(names=", ".join(names())),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"adebug {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_open(commands)
    _add_simulate(commands)
    _add_doctor(commands)
    return parser


def _add_open(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "open",
        help="find the bug in a tree, by answering questions",
        description="Asks about the nodes of a hand-made tree until the bug is found. Type h at a question for help.",
    )
    command.add_argument("tree", metavar="TREE.json", help="the tree; docs/reference/tree-json.md describes the format")
    command.add_argument(
        "--strategy", metavar="NAME", default=DEFAULT, help="who chooses the questions (default: %(default)s)"
    )
    command.add_argument(
        "--ask-root", action="store_true", help="ask about the root too, instead of taking it as wrong"
    )
    command.add_argument("--answers", metavar="FILE", help="take the answers from a file, one per line")
    command.add_argument("--oracle", metavar="COMMAND", help="a program that answers what it can, by JSON lines")
    command.add_argument("--fresh", action="store_true", help="forget where an earlier session on this tree stopped")
    command.set_defaults(run=opening.run)


def _add_simulate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "simulate",
        help="play strategies on a tree with known wrong nodes",
        description="Plays a strategy on a tree whose wrong nodes are known, and shows what it would have asked.",
    )
    command.add_argument("tree", metavar="TREE.json", help="the tree; docs/reference/tree-json.md describes the format")
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--strategy", metavar="NAME", default=DEFAULT, help="the strategy to play (default: %(default)s)"
    )
    which.add_argument("--all", action="store_true", help="play every strategy there is")
    command.add_argument(
        "--ask-root", action="store_true", help="ask about the root too, instead of taking it as wrong"
    )
    command.add_argument(
        "--stop-at-rule", action="store_true", help="end as soon as all that may be wrong executes the same rule"
    )
    command.add_argument("--json", action="store_true", help="one JSON object for each strategy, instead of a table")
    command.set_defaults(run=simulate.run)


def _add_doctor(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("doctor", help="what is installed, and what to do about what is missing")
    command.add_argument("--json", action="store_true", help="one JSON object, instead of text")
    command.set_defaults(run=lambda options: doctor.run(json_output=options.json))
