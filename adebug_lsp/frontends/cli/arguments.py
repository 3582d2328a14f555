"""The arguments of the commands that ask. adebug's own options come first.

From the first argument on that is not one of them, everything belongs to the program or to its test runner, untouched;
a lone `--` says where that is.
"""

import argparse
from collections.abc import Sequence

from attrs import frozen

from adebug_lsp.model.kinds import Granularity
from adebug_lsp.model.transformations import ORIGINAL, TRANSFORMATIONS


@frozen
class Split:
    """A command line in two parts."""

    own: list[str]
    rest: list[str]
    """Without the `--` in front of it."""


def split(arguments: Sequence[str], parser: argparse.ArgumentParser) -> Split:
    """Divide the arguments where the first stands that the parser does not know as an option or an option's value."""
    takes_value = {name: action.nargs != 0 for action in parser._actions for name in action.option_strings}
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        name, has_value = argument.partition("=")[0], "=" in argument
        if argument == "--" or name not in takes_value or (has_value and not name.startswith("--")):
            break
        position += 1 if has_value or not takes_value[name] else 2
    own, rest = list(arguments[:position]), list(arguments[position:])
    return Split(own, rest[1:] if rest[:1] == ["--"] else rest)


def call_after(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The one option that may also follow the program's name, and what remains for the program."""
    rest = list(arguments)
    call = None
    if rest[:1] == ["--call"] and len(rest) > 1:
        call, rest = rest[1], rest[2:]
    elif rest and rest[0].startswith("--call="):
        call, rest = rest[0].partition("=")[2], rest[1:]
    return call, rest[1:] if rest[:1] == ["--"] else rest


def add_asking(parser: argparse.ArgumentParser) -> None:
    """The options of every command that holds a session."""
    group = parser.add_argument_group("the session")
    group.add_argument("--json", action="store_true", help="JSON lines, so that a program can answer")
    group.add_argument("--answers", metavar="FILE", help="take the answers from a file, one per line; store nothing")
    group.add_argument("--oracle", metavar="COMMAND", help="a program that answers what it can, by JSON lines")
    group.add_argument(
        "--reference", metavar="PATH|git:REV", help="a version known to be right, laid out like this one"
    )
    group.add_argument("--strategy", metavar="NAME", help="who chooses the questions")
    add_transform(group)
    group.add_argument(
        "--granularity",
        choices=[granularity.value for granularity in Granularity],
        help="how fine the questions get (default: expression)",
    )
    group.add_argument(
        "--ask-root", action="store_true", help="ask about the whole run too, instead of taking it as wrong"
    )
    group.add_argument("--fresh", action="store_true", help="begin anew where an earlier session stopped")
    parser.set_defaults(channel=None, asks=True)
    add_workspace(parser)


def add_transform(group: argparse._ActionsContainer) -> None:
    """The transformations of the tree that questions are asked about."""
    group.add_argument(
        "--transform",
        metavar="NAME",
        action="append",
        default=[],
        choices=[name for name in TRANSFORMATIONS if name != ORIGINAL],
        help=f"transform the execution tree first: {', '.join(n for n in TRANSFORMATIONS if n != ORIGINAL)}; "
        "may be repeated",
    )


def add_workspace(parser: argparse.ArgumentParser) -> None:
    """Where the user's own code and the store are."""
    parser.add_argument("--workspace", metavar="DIR", default=".", help="the folder of your code (default: this one)")


def add_recording(parser: argparse.ArgumentParser) -> None:
    """The options of every command that runs a program."""
    group = parser.add_argument_group("the run")
    group.add_argument("--timeout", metavar="S", type=_seconds, help="interrupt the program after so many seconds")
    group.add_argument("--python", metavar="PATH", help="the interpreter that runs the program")
    group.add_argument(
        "--level", choices=["full", "calls"], default="full", help="what is recorded (default: %(default)s)"
    )


def add_program(parser: argparse.ArgumentParser) -> None:
    """What to run, when it is not tests."""
    group = parser.add_argument_group("what to run")
    group.add_argument("-m", dest="module", metavar="MODULE", help="run a module, as python -m does")
    group.add_argument("--call", metavar="EXPR", help="load the program, then evaluate this, and ask about that")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds
