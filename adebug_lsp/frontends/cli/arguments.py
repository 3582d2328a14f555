"""Splits a command line between adebug and the program. adebug's own options come first.

Everything from the first other argument on belongs to the program; a lone `--` marks the start. Among the arguments of
a test runner, adebug's options may stand anywhere before a lone `--`.
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
    position = 0
    while length := _length_of_option(arguments[position:], parser):
        position += length
    own, rest = list(arguments[:position]), list(arguments[position:])
    return Split(own, rest[1:] if rest[:1] == ["--"] else rest)


OF_TEST_RUNNERS = frozenset({"--timeout", "-h", "--help"})
"""Options that pytest or a plug-in of it (pytest-timeout) has too: after its first argument they are its own."""


def split_tests(arguments: Sequence[str], parser: argparse.ArgumentParser) -> Split:
    """Split the arguments of a test runner, taking the parser's options out of them wherever they are."""
    own: list[str] = []
    rest: list[str] = []
    position = 0
    while position < len(arguments) and arguments[position] != "--":
        length = _length_of_option(arguments[position:], parser)
        is_own = length and not (rest and arguments[position].partition("=")[0] in OF_TEST_RUNNERS)
        (own if is_own else rest).extend(arguments[position : position + (length if is_own else 1)])
        position += length if is_own else 1
    return Split(own, rest + list(arguments[position + 1 :]))


def _length_of_option(arguments: Sequence[str], parser: argparse.ArgumentParser) -> int:
    """The number of arguments that the first one takes with its value; 0 if it is no option of the parser."""
    if not arguments:
        return 0
    takes_value = {name: action.nargs != 0 for action in parser._actions for name in action.option_strings}
    name, equals, _value = arguments[0].partition("=")
    if name not in takes_value or (equals and not name.startswith("--")):
        return 0
    return 1 if equals or not takes_value[name] else 2


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


def add_tests(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the tests to record."""
    add_arguments(parser, Group.TESTS)


def add_program(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the program, for commands that do not run tests."""
    add_arguments(parser, Group.PROGRAM)
