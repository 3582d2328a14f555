"""Parsing bytes into messages, however the stream is split and whatever it contains."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.frontends.dap.protocol.framing import LONGEST, BadMessageError, LostError, Parser, frame

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda s: st.lists(s, max_size=3))


@given(st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=4), st.integers(1, 40))
def test_messages_round_trip_however_the_stream_is_split(messages: list[dict[str, object]], size: int) -> None:
    data = b"".join(map(frame, messages))
    parser = Parser()
    parsed = [m for start in range(0, len(data), size) for m in parser.feed(data[start : start + size])]
    assert parsed == messages


@pytest.mark.parametrize(
    ("body", "why"), [(b"{", "not JSON"), (b"[1]", "object"), (b"\xff", "not JSON"), (b"[" * 100_000, "not JSON")]
)
def test_an_invalid_body_is_reported_and_the_next_message_is_read(body: bytes, why: str) -> None:
    first, second = Parser().feed(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) + frame({"seq": 1}))
    assert isinstance(first, BadMessageError)
    assert why in str(first)
    assert second == {"seq": 1}


def test_a_header_without_a_length_is_reported_and_the_next_message_is_read() -> None:
    first, second = Parser().feed(b"Content-Type: x\r\n\r\n" + frame({"seq": 1}))
    assert "Content-Length" in str(first)
    assert second == {"seq": 1}


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: %d\r\n\r\n" % (LONGEST + 1),
        b"Content-Length: %s\r\n\r\n" % (b"9" * 10_000),
        b"x" * 10_000,
    ],
)
def test_an_unreadable_stream_ends_the_connection(data: bytes) -> None:
    with pytest.raises(LostError):
        list(Parser().feed(data))
