"""The tapes of several threads become one: in the order in which they ran, and never in the middle of a record."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from adebug_lsp.languages.python.recorder.native.loader import accelerator
from adebug_lsp.languages.python.recorder.observe.images import Marker
from adebug_lsp.languages.python.recorder.tape.tape import Recorder
from adebug_lsp.languages.python.recorder.tape.threads import SWITCH, ThreadedRecorder, Threads

A, B = Marker(64), Marker(65)


def threaded() -> Recorder:
    recorder = Recorder()
    recorder.threads = Threads(recorder)
    recorder.threads.begin()
    recorder.__class__ = ThreadedRecorder
    return recorder


def elsewhere(work: Callable[[], object]) -> None:
    """Do it in a thread of its own, now."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def taken(recorder: Recorder, *, whole: bool) -> list[Any]:
    """The collected words, with threads numbered from 0."""
    words = recorder.threads.take(list(recorder.tapes.values()) if whole else [])
    names = {number: index for index, number in enumerate(recorder.tapes)}
    return [names[word] if before is SWITCH else word for before, word in zip([None, *words], words, strict=False)]


def test_records_of_threads_are_in_execution_order() -> None:
    recorder = threaded()
    recorder.tape.extend((A, 1))
    elsewhere(lambda: recorder.tape.extend((B, 2)))
    recorder.tape.extend((A, 3))
    elsewhere(lambda: recorder.tape.extend((B, 4)))
    assert taken(recorder, whole=True) == [SWITCH, 0, A, 1, SWITCH, 1, B, 2, SWITCH, 0, A, 3, SWITCH, 2, B, 4]


@pytest.mark.skipif(accelerator is None, reason="native markers are the accelerator's")
def test_native_markers_put_records_on_the_tape_of_the_current_thread() -> None:
    """Including records from before the second thread, when there was no list; no thread switch is missed."""
    recorder = Recorder()
    recorder.threads = Threads(recorder)
    A.native[0]
    A.native["one"] = 2.5
    recorder.threads.begin()
    recorder.__class__ = ThreadedRecorder
    A.native @ (1, 2, 3)
    elsewhere(lambda: B.native[2])
    assert "in" not in A.native
    elsewhere(lambda: recorder.tape.extend((B, 4)))
    assert (~A.native) is None
    first = [SWITCH, 0, A, 0, A, "one", 2.5, A, 1, 2, 3]
    then = [SWITCH, 1, B, 2, SWITCH, 0, A, "in", SWITCH, 2, B, 4, SWITCH, 0, A]
    assert taken(recorder, whole=True) == [*first, *then]


def test_a_record_is_not_cut_by_a_thread_switch() -> None:
    recorder = threaded()
    tape = recorder.tape
    tape.append(A)
    elsewhere(lambda: recorder.tape.extend((B, 2)))
    tape.extend((1, A, 3))
    assert taken(recorder, whole=True) == [SWITCH, 0, A, 1, SWITCH, 1, B, 2, SWITCH, 0, A, 3]


def test_the_last_record_of_a_thread_waits_until_it_is_whole() -> None:
    recorder = threaded()
    tape = recorder.tape
    tape.extend((A, 1, A))
    elsewhere(lambda: recorder.tape.extend((B, 2, B)))
    assert taken(recorder, whole=False) == [SWITCH, 0, A, 1, SWITCH, 1, B, 2]
    tape.append(3)
    recorder.tape.extend((A, 5))
    assert taken(recorder, whole=True) == [SWITCH, 0, A, 3, SWITCH, 1, B, SWITCH, 0, A, 5]


def test_a_thread_with_a_reused_id_has_its_own_tape() -> None:
    recorder = threaded()
    for _ in range(5):
        elsewhere(lambda: recorder.tape.extend((A, 1)))
    assert len(recorder.tapes) == 6
