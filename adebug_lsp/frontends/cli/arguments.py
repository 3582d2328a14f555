"""Splits a command line between adebug and the program. adebug's own options come first.

Everything from the first other argument on belongs to the program or to its test runner; a lone `--` marks the start.
"""

import argparse
from collections.abc import Sequence

from attrs import frozen

from adebug_lsp.frontends.shared.options import Group, add_arguments


@frozen
class Split:
    """A command line in two parts."""

    own: list[str]
    rest: list[str]
    """The program's part, without the leading `--`."""


def split(arguments: Sequence[str], parser: argparse.ArgumentParser) -> Split:
    """Split the arguments at the first one that is neither an option of the parser nor an option's value."""
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
    """The `--call` that may follow the program's name, and the remaining arguments of the program."""
    rest = list(arguments)
    call = None
    if rest[:1] == ["--call"] and len(rest) > 1:
        call, rest = rest[1], rest[2:]
    elif rest and rest[0].startswith("--call="):
        call, rest = rest[0].partition("=")[2], rest[1:]
    return call, rest[1:] if rest[:1] == ["--"] else rest


def add_asking(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that holds a session."""
    add_arguments(parser, Group.SESSION)
    parser.set_defaults(channel=None, asks=True)
    add_workspace(parser)


def add_workspace(parser: argparse.ArgumentParser) -> None:
    """Add the option for the folder of the user's code and the store."""
    add_arguments(parser, Group.WORKSPACE)


def add_recording(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that runs a program."""
    add_arguments(parser, Group.RUN)


def add_program(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the program, for commands that do not run tests."""
    add_arguments(parser, Group.PROGRAM)
