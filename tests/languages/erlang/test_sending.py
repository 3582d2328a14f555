"""A recording is data: what is sent of it to a VM with a reference brings no function that could do harm."""

from typing import Any

import pytest

from adebug_lsp.languages.erlang.sending import CannotSendError, Sender
from adebug_lsp.languages.erlang.terms import Atom, Fun

NO_RUN: Any = None
"""Functions that are sent by their names need none."""


@pytest.mark.parametrize("fun", [Fun("shop", "price", 1), Fun("lists", "reverse", 1), Fun("erlang", "hd", 1)])
def test_functions_of_the_reference_and_harmless_ones_are_sent(fun: Fun) -> None:
    sent = (Atom("adebug_fun"), Atom(fun.module), Atom(fun.name), fun.arity)
    assert Sender(NO_RUN, {"shop"}).sent([fun]) == [sent]


@pytest.mark.parametrize(
    "term",
    [
        Fun("os", "cmd", 1),
        Fun("file", "delete", 1),
        Fun("erlang", "open_port", 2),
        Fun("zip", "unzip", 1),
        (Atom("adebug_fun"), Atom("os"), Atom("cmd"), 1),
    ],
    ids=str,
)
def test_others_are_not_nor_what_looks_like_one(term: Any) -> None:
    with pytest.raises(CannotSendError):
        Sender(NO_RUN, {"shop"}).sent([term])
