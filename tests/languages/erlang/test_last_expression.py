"""If all parts of a clause are right, the verdict is its last expression."""

from pathlib import Path

import pytest

from adebug_lsp.frontends.shared.open_session import SessionOptions, SessionTarget, session_about
from adebug_lsp.model.answers import Judgement
from adebug_lsp.session.outcome import Ask, Found
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import record

pytestmark = needs_erlang


def verdict(folder: Path, program: str, wrong: str | tuple[str, ...]) -> list[str]:
    """The text of the verdict where nothing is wrong but calls that begin with some text."""
    subject = record(folder, program).subject
    session = session_about(SessionTarget(subject, "run", "run"), SessionOptions()).session
    while isinstance(session.outcome, Ask):
        is_wrong = session.outcome.question.behaviour.text.startswith(wrong)
        session.answer(Judgement.NO if is_wrong else Judgement.YES)
    assert isinstance(session.outcome, Found)
    lines = (folder / "program.erl").read_text(encoding="utf-8").splitlines()
    verdicts = []
    for place in session.outcome.verdict.code:
        start, end = place.range.start, place.range.end
        assert start.line == end.line
        verdicts.append(lines[start.line][start.column : end.column])
    return verdicts


@pytest.mark.parametrize(
    ("program", "wrong", "expected"),
    [
        ("main() -> A = length([1]), {A, b}.", "main", "{A, b}"),
        ("main() -> two(1). two(N) when N > 0 -> [N, N + 1]; two(_) -> [].", "two", "[N, N + 1]"),
        ("main() -> swap({1, 2}). swap({A, B}) -> {A, B}.", "swap", "swap({A, B}) -> {A, B}"),
        ("main() -> f(1). f(N) -> case N + 1 of 2 -> #{N => 2}; _ -> N end.", ("f(", "case"), "#{N => 2}"),
        ("main() -> f(1). f(N) -> put(n, N), {n, N}.", "f", "f(N) -> put(n, N), {n, N}"),
        ("main() -> f(1). f(N) -> X = N, X + 1.", ("f(", "X + 1"), "X + 1"),
    ],
)
def test_the_verdict_is_the_last_expression(
    tmp_path: Path, program: str, wrong: str | tuple[str, ...], expected: str
) -> None:
    assert verdict(tmp_path, f"-export([main/0]).\n{program}\n", wrong) == [expected]
