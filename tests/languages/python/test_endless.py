"""A loop stopped after very many iterations: the middle ones are one node, the others stay as they were."""

from pathlib import Path

import numpy as np
import pytest

from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.languages.python.reading.structure import fast_structure as nested
from adebug_lsp.languages.python.reading.structure import stopped_loops as endless
from adebug_lsp.languages.python.reading.structure.event_nesting import BEGINS, ENDS, OPENS
from adebug_lsp.languages.python.reading.structure.stopped_loops import middle
from tests.languages.python.recorded import record

CALL, DONE, LOOP, ITERATION, INNER, INNER_ITERATION = (
    (BEGINS, 0),
    (ENDS, 0),
    (OPENS, 1),
    (OPENS, 2),
    (OPENS, 3),
    (OPENS, 4),
)


def cut(*events: tuple[int, int], kept: int = 3, most: int = 5) -> tuple[int, int] | None:
    does, level = (np.array(column) for column in zip(*events, strict=True))
    return middle(does, level, kept, most)


def test_a_loop_with_few_iterations_is_not_cut() -> None:
    assert cut(CALL, LOOP, *[ITERATION] * 10) is None


def test_the_iterations_between_the_first_and_the_last_are_one_range() -> None:
    assert cut(CALL, LOOP, *[ITERATION] * 30) == (4, 27)


def test_code_after_the_loop_does_not_matter() -> None:
    assert cut(CALL, LOOP, *[ITERATION] * 30, DONE, CALL, DONE) == (4, 27)


def test_complete_iterations_are_left_out_with_their_calls() -> None:
    iteration = (ITERATION, CALL, DONE)
    assert cut(CALL, LOOP, *iteration * 10) == (5, 23)


def test_the_outermost_loop_is_cut_if_it_had_many_iterations() -> None:
    assert cut(CALL, LOOP, *(ITERATION, INNER, INNER_ITERATION, INNER_ITERATION) * 10) == (6, 34)
    assert cut(CALL, LOOP, ITERATION, INNER, *[INNER_ITERATION] * 30) == (6, 29)


def test_a_loop_around_an_unfinished_call_is_cut_if_it_had_many_iterations() -> None:
    assert cut(CALL, LOOP, *(ITERATION, CALL, DONE) * 10, ITERATION, CALL, LOOP, ITERATION) == (5, 29)
    assert cut(CALL, LOOP, ITERATION, CALL, LOOP, *[ITERATION] * 30) == (7, 30)


def test_a_finished_loop_is_not_the_last_running_one() -> None:
    assert cut(CALL, LOOP, *[ITERATION] * 30, LOOP, ITERATION) is None


def test_records_that_no_recorder_writes_are_not_cut() -> None:
    assert cut(CALL, DONE, DONE, CALL, LOOP, *[ITERATION] * 30) is None
    assert cut(DONE, DONE, DONE, LOOP, *[ITERATION] * 30) is None


PROGRAM = """
    def search(wanted):
        low = 0
        while low != wanted:
            low += 2
            if low == 2000:
                raise KeyboardInterrupt
        return low

    search(7)
"""


TASK = PROGRAM.replace("def search", "async def search").replace("search(7)", "__import__('asyncio').run(search(7))")
THREAD = """
    import signal
    import threading

    def stop():
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # wakes it also while it joins
        threading.Event().wait()

    thread = threading.Thread(target=search, args=(7,), daemon=True)
    thread.start()
    thread.join()
"""
IN_THREAD = PROGRAM.replace("raise KeyboardInterrupt", "stop()").replace("\n    search(7)\n", THREAD)


def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some hundred iterations are very many."""
    for module in (nested, endless):
        monkeypatch.setattr(module, "middle", lambda does, level: middle(does, level, 40, 100))


@pytest.fixture(params=[PROGRAM, TASK, IN_THREAD], ids=["alone", "task", "thread"])
def stopped(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PythonSubject:
    few(monkeypatch)
    return record(tmp_path, request.param).subject()


def test_iterations_keep_their_numbers_and_values(stopped: PythonSubject) -> None:
    behaviours = [stopped.behaviour(node) for node in range(len(stopped.tree.kind))]
    texts = {behaviour.text.partition(" `")[0]: behaviour for behaviour in behaviours}
    (several,) = [behaviour for behaviour in behaviours if "too many" in behaviour.coarse]
    assert several.text == "iterations 40 to 958 of `while low != wanted` (line 4): low: 78 -> 1916"
    assert "low: 76 -> 78" in texts["iteration 39 of"].text
    assert "low: 1916 -> 1918" in texts["iteration 959 of"].text


def test_a_range_of_many_iterations_has_no_inside_and_is_judged_as_a_whole(stopped: PythonSubject) -> None:
    (node,) = [n for n in range(len(stopped.tree.kind)) if "too many" in stopped.behaviour(n).coarse]
    assert stopped.inside(node) is None
    fragment = stopped.fragment(node)
    assert fragment is not None
    assert (fragment.what, fragment.iterations) == ("range", 919)


def test_a_loop_that_ended_is_never_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    subject = record(tmp_path, PROGRAM.replace("raise KeyboardInterrupt", "break")).subject()
    assert not subject.run.spans.several


def test_a_loop_over_a_suspended_generator_is_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its variables may depend on any of its steps."""
    few(monkeypatch)
    program = """
        def numbers():
            n, flag = 0, False
            while True:
                n += 1
                if n == 500:
                    flag = True
                yield n if flag else -n

        def main():
            for x in numbers():
                total = sum(n for n in (1, 2))
                if x == 1000:
                    raise KeyboardInterrupt

        main()
    """
    subject = record(tmp_path, program).subject()
    texts = (subject.behaviour(node).text for node in reversed(range(len(subject.tree.kind))))
    step = next(text for text in texts if "a step of numbers" in text)
    assert step == "a step of numbers(n=999, flag=True) = 1000; n: 999 -> 1000"
    again = record(tmp_path, program.replace("in numbers()", "in range(1001)")).subject()
    assert again.run.spans.several, "generators that begin and end in an iteration are no reason"
