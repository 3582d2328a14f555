"""An over-long run loses its details first: calls and externally visible effects are recorded to the end."""

from pathlib import Path

import pytest

from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.kinds import NodeKind
from tests.languages.python.recorded import Recorded, kinds, node_of, record, walk

CALLS = (NodeKind.ROUTINE, NodeKind.LAMBDA, NodeKind.GENERATOR, NodeKind.COROUTINE)
LONG = "the run was long: only calls were recorded here, not their inside"

PROGRAM = """
    import asyncio
    from collections import deque

    RATE = 3

    class Shelf:
        size = 2

        def __init__(self, name):
            self.name, self.items = name, []

        def put(self, item):
            full = len(self.items) >= self.size
            if full:
                raise OverflowError(item)
            self.items.append(item)
            return self

        @property
        def last(self):
            return self.items[-1]

    def raise_rate():
        global RATE
        RATE += 1

    def count():
        total = 0

        def add(n):
            nonlocal total
            total += n
            return total

        for n in (1, 2):
            add(n)
        total = 10
        return add(5)

    def fill(shelf, queue):
        while queue:
            item = queue.popleft()
            try:
                shelf.put(item)
            except OverflowError as error:
                print("no room for", error)
                return shelf.last
            finally:
                raise_rate()

    def swapped(pairs):
        pairs[0], pairs[1] = pairs[1], pairs[0]
        return sorted(pairs, key=lambda pair: pair[1] * RATE)

    async def wait(n):
        await asyncio.sleep(0)
        return n + RATE

    async def both():
        return await asyncio.gather(wait(1), wait(2))

    def main():
        shelf = Shelf("tools")
        last = fill(shelf, deque(["saw", "axe", "file"]))
        return last, count(), swapped([("a", 2), ("b", 1)]), asyncio.run(both())

    main()
"""


def kept(folder: Path, program: str, detailed: int, **options: object) -> Recorded:
    folder.mkdir(exist_ok=True)
    (folder / "pyproject.toml").write_text(f"[tool.adebug]\ndetailed = {detailed}\n", encoding="utf-8")
    return record(folder, program, **options)


def calls(subject: PythonSubject) -> list[tuple[str, str]]:
    """Texts and output of the questions about calls."""
    nodes = [node for node, _ in walk(subject) if NodeKind(int(subject.tree.kind[node])) in CALLS]
    behaviours = (subject.behaviour(node) for node in nodes)
    return [
        (behaviour.text, str([b.value.text for b in behaviour.after.bindings if b.name == "output"]))
        for behaviour in behaviours
    ]


@pytest.mark.parametrize("pure", ["", "1"])
def test_calls_are_the_same_with_and_without_details(
    tmp_path: Path, pure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADEBUG_PURE", pure)
    full, long = (kept(tmp_path / str(most), PROGRAM, most).subject() for most in (10**6, 0))
    assert calls(long) == calls(full)
    assert len(calls(long)) > 15
    assert {"loop", "iteration"} & set(kinds(full))
    assert not {"loop", "iteration"} & set(kinds(long))


def test_every_question_about_code_without_details_says_so(tmp_path: Path) -> None:
    subject = kept(tmp_path, PROGRAM, 0).subject()
    behaviours = [subject.behaviour(node) for node, _ in walk(subject)]
    assert {behaviour.coarse for behaviour in behaviours} == {LONG}
    assert all(subject.inside(node) is None for node, _ in walk(subject))
    assert all(subject.unexecuted(node) == () for node, _ in walk(subject)), "nobody knows what did not run"


THREADS = """
    import threading

    class Total:
        def __init__(self):
            self.sum = 0

        def add(self, n):
            if n % 2:
                self.sum += n
            return n

    def work(total):
        for n in range(3):
            total.add(n)

    total = Total()
    threads = [threading.Thread(target=work, args=(total,)) for _ in range(2)]
    for thread in threads:
        thread.start()
        thread.join()
"""


def test_threads_lose_their_details_as_well(tmp_path: Path) -> None:
    full, long = (kept(tmp_path / str(most), THREADS, most).subject() for most in (10**6, 0))
    assert calls(long) == calls(full)
    assert "loop" not in kinds(long)
    assert "Total(sum=1).add(1) = 1" in [text for text, _ in calls(long)]


BEGINS = """
    def square(n):
        result = n * n
        return result

    def walk(n):
        total = 0
        for i in range(n):
            total += square(i)
        return total

    walk(3)
    walk(20_000)
    walk(2)
"""


def test_calls_that_ended_before_the_limit_have_details(tmp_path: Path) -> None:
    subject = kept(tmp_path, BEGINS, 70_000).subject()
    routines = [node for node, _ in walk(subject) if subject.tree.kind[node] == NodeKind.ROUTINE]
    _module, first, long, last = (node for node in routines if subject.tree.size[node] > 1)  # describing all is slow
    inside = [subject.behaviour(node).text for node in subject.tree.children(first)]
    assert inside[0].startswith("iteration 1 of `for i in range(n)` (line 8)") or "the loop" in inside[0]
    short = routines[routines.index(first) + 2]
    assert subject.behaviour(short).text == "square(1) = 1"
    assert subject.inside(short) is not None
    assert (subject.behaviour(first).coarse, subject.behaviour(long).coarse) == ("", LONG)
    assert subject.behaviour(last).text == "walk(2) = 1"
    assert subject.inside(long) is None
    latest = routines[routines.index(last) - 1]
    assert subject.behaviour(latest).text == "square(19999) = 399960001"
    assert subject.behaviour(latest).coarse == LONG


def test_a_loop_that_never_ends_does_not_fill_the_disk(tmp_path: Path) -> None:
    program = """
        def wait(found):
            turns = 0
            while not found:
                turns += 1

        wait(False)
    """
    recorded = kept(tmp_path, program, 70_000, timeout=1.5)
    assert recorded.ended.how == "timeout"
    assert len(recorded.opened.run.recording.words) < 300_000
    subject = recorded.subject()
    loop = subject.behaviour(node_of(subject, "the loop `while not found` (line 4) did not end"))
    assert loop.coarse == f"it had not ended when the program was stopped; {LONG}"
    turns = int(next(b.value.text for b in loop.after.bindings if b.name == "turns"))
    assert 10_000 < turns < 200_000, "as far as it is known"


def test_recording_stops_when_a_run_exceeds_the_last_limit(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = """
        def twice(n):
            return 2 * n

        def main():
            for n in range(1_500_000):
                twice(n)
            print("done")

        main()
    """
    recorded = kept(tmp_path, program, 1)
    shown = capfd.readouterr()
    assert (recorded.ended.how, recorded.ended.exit_code, shown.out) == ("full", 0, "done\n")
    assert "words; the program goes on without it" in recorded.ended.message
    assert "adebug: recording has stopped: it has 4," in shown.err
    assert recorded.opened.problem == ""
    assert recorded.subject().behaviour(1).text.startswith("main() did not end")


@pytest.mark.parametrize("pure", ["", "1"])
def test_threads_continue_when_the_recording_is_full(
    tmp_path: Path, pure: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The one that finds it full closes the file while others may wait to write."""
    monkeypatch.setenv("ADEBUG_PURE", pure)
    program = """
        import threading

        def twice(n):
            return 2 * n

        def work():
            for n in range(400_000):
                twice(n)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print("done")
    """
    recorded = kept(tmp_path, program, 1)
    shown = capfd.readouterr()
    assert (recorded.ended.how, recorded.ended.exit_code, shown.out) == ("full", 0, "done\n")
    assert shown.err.count("\n") == 1, shown.err
