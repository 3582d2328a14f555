"""Terms are decoded, encoded and formatted as the BEAM does."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.erlang.reading.term_text import as_value, is_complete, text
from adebug_lsp.languages.erlang.reading.terms import (
    Atom,
    Bits,
    Improper,
    MapTerm,
    Omitted,
    Record,
    canonical,
    decode,
    decode_at,
    encode,
)
from adebug_lsp.model.errors import BadInputError
from tests.languages.erlang.beam import needs_erlang, run_erlang

TERMS = r"""
-module(program).
-export([main/1]).
main(_) ->
    Deep = lists:foldl(fun(_, T) -> {T} end, x, lists:seq(1, 3000)),
    Terms = [0, 255, -1, 1 bsl 31, -(1 bsl 80), 1 bsl 3000, 1.5, -0.0, a, 'A b', 'receive', '', [], [1, 2, 3], "text",
             "tab\tquote\"", [300, 400], [a | b], [1, 2 | 3], {}, {a, {b, "c"}}, #{}, #{k => [1], "s" => #{}}, <<>>,
             <<1, 2, 255>>, <<"text">>, <<1:3>>, <<255, 5:4>>, lists:duplicate(70000, 1), fun lists:map/2, Deep],
    [io:format("~s ~s~n", [binary:encode_hex(term_to_binary(T)), base64:encode(unicode:characters_to_binary(
        io_lib:format("~tw", [T])))]) || T <- Terms].
"""


@needs_erlang
def test_terms_of_the_beam_round_trip(tmp_path: Path) -> None:
    written = [line.split()[0] for line in run_erlang(TERMS, folder=tmp_path).splitlines()]
    assert len(written) == 31
    checks = []
    for line in written:
        term = decode(bytes.fromhex(line))
        if type(term).__name__ == "Fun":
            assert text(term) == "fun lists:map/2"
            continue
        if isinstance(term, tuple) and len(term) == 1:
            assert "…" in text(term)  # deeper than Python's stack
            continue
        checks.append(f'true = binary_to_term(binary:decode_hex(<<"{line}">>)) =:= ')
        checks[-1] += f'binary_to_term(binary:decode_hex(<<"{encode(term).hex()}">>))'
    assert len(checks) == 29
    program = "-module(program).\n-export([main/1]).\nmain(_) ->\n" + ",\n".join(checks) + ".\n"
    run_erlang(program, folder=tmp_path)


ATOMS = st.text(st.characters(codec="utf-8", exclude_characters="$"), max_size=8).map(Atom)
PLAIN = st.integers() | st.floats(allow_nan=False) | ATOMS | st.binary(max_size=20)
TREES: st.SearchStrategy[Any] = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.lists(st.tuples(inner, inner), max_size=3).map(lambda pairs: MapTerm(tuple(pairs)))
        | st.tuples(st.lists(inner, min_size=1, max_size=3), ATOMS).map(lambda two: Improper(tuple(two[0]), two[1]))
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(TREES)
def test_a_term_is_the_same_after_writing_and_reading(term: Any) -> None:
    again = decode(encode(term))
    assert repr(again) == repr(term)
    assert is_complete(again)


@settings(deadline=None)
@given(TREES, st.data())
def test_a_damaged_term_is_refused_or_read_as_another(term: Any, data: st.DataObject) -> None:
    whole = bytearray(encode(term))
    length = data.draw(st.integers(0, len(whole) - 1))
    whole[length] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    for damaged in (bytes(whole), bytes(whole[:cut])):
        with suppress(BadInputError):
            as_value(decode(damaged))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Atom("ok"), "ok"),
        (Atom("Not plain"), "'Not plain'"),
        (Atom("receive"), "'receive'"),
        ([104, 105], '"hi"'),
        ([1, 2], "[1,2]"),
        (b"hi", '<<"hi">>'),
        (b"\x01\xff", "<<1,255>>"),
        (Bits(b"\xf0", 4), "<<15:4>>"),
        ((Atom("a"), [Atom("b")]), "{a,[b]}"),
        (MapTerm(((Atom("k"), 1),)), "#{k => 1}"),
        (Improper((1,), 2), "[1|2]"),
        ([1, Omitted(7)], "[1,… 7 more]"),
    ],
)
def test_a_term_reads_as_erlang_writes_it(term: Any, expected: str) -> None:
    assert text(term) == expected


def test_values_with_omitted_parts_are_incomplete() -> None:
    assert not is_complete([1, [Omitted(2)]])
    assert is_complete([1, [2]])


def in_two_places(first: object, *others: object) -> tuple[bytes, dict[int, int]]:
    """A term, and others beside it by their numbers, from 1."""
    data, places = encode(first)[1:], dict[int, int]()
    for number, term in enumerate(others, 1):
        places[number] = len(data)
        data += encode(term)[1:]
    return data, places


REF, MAP, JOIN = Atom("$adebug_ref"), Atom("$adebug_map"), Atom("$adebug_join")


def test_large_parts_are_read_in_place() -> None:
    data, large = in_two_places((Improper((1, 2), (REF, 3)), (REF, 2)), [4, 5], b"two", Improper((3,), (REF, 1)))
    assert decode_at(data, 0, large) == ([1, 2, 3, 4, 5], b"two")
    data, large = in_two_places((MAP, [(REF, 1), [(3, 4)]]), [(1, 2)])
    assert decode_at(data, 0, large) == MapTerm(((1, 2), (3, 4)))
    data, large = in_two_places((JOIN, b"on", (REF, 1)), b"ce")
    assert decode_at(data, 0, large) == b"once"


def test_records_of_otp_29_are_read_and_written_again_alike() -> None:
    written = bytes.fromhex("8343 00000002 00 77 01 70 77 02 7074 77 01 78 77 01 79 61 01 61 02")
    record = decode(written)
    assert record == Record(((Atom("x"), 1), (Atom("y"), 2)), Atom("p"), Atom("pt"))
    assert text(record) == "#p:pt{x = 1, y = 2}"
    assert [(part.key, part.value.text) for part in as_value(record).parts] == [("x", "1"), ("y", "2")]
    assert decode(encode(record)) == record
    assert "".join(canonical(record)) != "".join(canonical(MapTerm(record.pairs)))
    data, large = in_two_places((Atom("$adebug_record"), Atom("p"), Atom("pt"), Atom("false"), [*record.pairs]))
    assert decode_at(data, 0, large) == record
    with pytest.raises(BadInputError):
        decode(written[:-2])
    with pytest.raises(BadInputError, match="no names"):
        decode(written.replace(b"w\x01x", b"k\x00\x00"))
    with pytest.raises(BadInputError):
        decode(written.replace(bytes(3) + b"\2", b"\xff" * 4))


def test_messages_of_a_program_are_what_they_are() -> None:
    data, _ = in_two_places((REF, 1))
    assert decode_at(data, 0) == (REF, 1)


@pytest.mark.parametrize(
    ("term", "other"),
    [
        ((REF, 2), 1),
        ((REF, Atom("a")), 1),
        ((REF, 1, 1), 1),
        ((REF, 1), [(REF, 1)]),
        ((REF, 1), Improper((1,), (REF, 1))),
        ((MAP, [(REF, 1)]), [1]),
    ],
)
def test_large_parts_that_were_forged_are_refused(term: object, other: object) -> None:
    data, large = in_two_places(term, other)
    with pytest.raises(BadInputError):
        decode_at(data, 0, large)


def test_exponentially_shared_parts_are_refused() -> None:
    parts = [[(REF, number)] * 20 for number in range(1, 12)]
    data, large = in_two_places((REF, 12), [1] * 20, *parts)
    with pytest.raises(BadInputError, match="too large"):
        decode_at(data, 0, large)
