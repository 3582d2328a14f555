"""Trees of programs with non-local control flow: generators, coroutines, tasks, threads, and ends of loops."""

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from adebug_lsp.languages.python.questions.subject import PythonSubject
from tests.languages.python.recorded import dump, kinds, node_of, record, walk

TREES = {
    "tasks of one coroutine function keep their variables apart": (
        """
        import asyncio

        async def work(n):
            total = n
            await asyncio.sleep(0.001)
            total += 10
            await asyncio.sleep(0.001)
            return total

        async def main():
            return await asyncio.gather(work(1), work(2))

        asyncio.run(main())
        """,
        """
        module program
          main() = [11, 12]
            work(1) = 11
            work(2) = 12
        """,
    ),
    "what a coroutine awaits in a library is its own": (
        """
        import asyncio

        async def work(n):
            await asyncio.sleep(0)
            return n

        async def main():
            return await asyncio.wait_for(work(1), 60)

        asyncio.run(main())
        """,
        """
        module program
          main() = 1
            work(1) = 1
        """,
    ),
    "an exception that ends an await": (
        """
        import asyncio

        async def fail(n):
            await asyncio.sleep(0)
            raise ValueError(n)

        async def careful(n):
            try:
                await asyncio.gather(fail(n))
            except ValueError as error:
                return error.args[0]
            finally:
                clean(n)

        def clean(n):
            return -n

        async def main():
            return await asyncio.gather(careful(1), careful(2))

        asyncio.run(main())
        """,
        """
        module program
          main() = [1, 2]
            careful(1) = 1
              fail(1) raised ValueError(1)
              clean(1) = -1
            careful(2) = 2
              fail(2) raised ValueError(2)
              clean(2) = -2
        """,
    ),
    "asynchronous generators and managers of several tasks": (
        """
        import asyncio

        async def ticks(n):
            for i in range(n):
                await asyncio.sleep(0.001)
                yield i * 2

        class Door:
            async def __aenter__(self):
                await asyncio.sleep(0)
                return self

            async def __aexit__(self, *error):
                await asyncio.sleep(0)

        async def total(n):
            async with Door():
                found = [x async for x in ticks(n)]
            return sum(found)

        async def main():
            return await asyncio.gather(total(1), total(2))

        asyncio.run(main())
        """,
        """
        module program
          main() = [0, 2]
            total(1) = 0
              Door().__aenter__() = Door()
              a step of ticks(1) = 0; i = 0
              a step of ticks(1, i=0) ended the generator
              Door().__aexit__((None, None, None)) = None
            total(2) = 2
              Door().__aenter__() = Door()
              a step of ticks(2) = 0; i = 0
              a step of ticks(2, i=0) = 2; i: 0 -> 1
              a step of ticks(2, i=1) ended the generator
              Door().__aexit__((None, None, None)) = None
        """,
    ),
    "iterations of an asynchronous loop are counted from one": (
        """
        import asyncio

        async def pairs():
            for i in (3, 4):
                await asyncio.sleep(0)
                yield i, i

        async def main():
            found = 0
            async for x, y in pairs():
                found += x * y
            return found

        asyncio.run(main())
        """,
        """
        module program
          main() = 25
            the loop `async for x, y in pairs()` (line 11): found: 0 -> 25, x = 4, y = 4
              a step of pairs() = (3, 3); i = 3
              iterations 1 to 2 of `async for x, y in pairs()` (line 11): x: 3 -> 4, y: 3 -> 4, found: 0 -> 25
                iteration 1 of `async for x, y in pairs()` (line 11): found: 0 -> 9
                  a step of pairs(i=3) = (4, 4); i: 3 -> 4
                iteration 2 of `async for x, y in pairs()` (line 11): found: 9 -> 25
                  a step of pairs(i=4) ended the generator
        """,
    ),
    "a step that delegates is around the other generator's": (
        """
        def inner(n):
            got = yield n
            yield got
            return n * 2

        def outer(n):
            result = yield from inner(n)
            yield result

        def use():
            steps = outer(3)
            return next(steps), steps.send(9), list(steps)

        use()
        """,
        """
        module program
          use() = (3, 9, [6])
            a step of outer(3) = 3
              a step of inner(3) = 3
            a step of outer(3) = 9
              a step of inner(3) (sent 9) = 9; got = 9
            a step of outer(3) = 6; result = 6
              a step of inner(3, got=9) ended the generator, returning 6
            a step of outer(3, result=6) ended the generator
        """,
    ),
    "a generator that delegates to itself": (
        """
        def walk(tree):
            if tree:
                left, value, right = tree
                yield from walk(left)
                yield value
                yield from walk(right)

        list(walk((None, 1, (None, 2, None))))
        """,
        """
        module program
          a step of walk((None, 1, (None, 2, None))) = 1; left = None, value = 1, right = (None, 2, None)
            a step of walk(None) ended the generator
          a step of walk((None, 1, (None, 2, None)), left=None, value=1, right=(None, 2, None)) = 2
            a step of walk((None, 2, None)) = 2; left = None, value = 2, right = None
              a step of walk(None) ended the generator
          a step of walk((None, 1, (None, 2, None)), left=None, value=1, right=(None, 2, None)) ended the generator
            a step of walk((None, 2, None), left=None, value=2, right=None) ended the generator
              a step of walk(None) ended the generator
        """,
    ),
    "what is yielded from no generator of mine is known as a whole": (
        """
        def both(x):
            yield x
            yield from [7, 8]

        list(both(1))
        """,
        """
        module program
          a step of both(1) = 1
          a step of both(1) yields from [7, 8]
          a step of both(1) ended the generator
        """,
    ),
    "exceptions that are thrown into a generator, and its closing": (
        """
        def guard():
            try:
                x = yield 1
                yield x
            except ValueError as error:
                yield str(error)
            finally:
                clean()

        def clean():
            pass

        def plain():
            yield 1

        def use():
            first = guard()
            next(first)
            first.throw(ValueError("bad"))
            first.close()
            second = guard()
            next(second)
            second.close()
            third = plain()
            next(third)
            third.close()

        use()
        """,
        """
        module program
          use() = None
            a step of guard() = 1
            a step of guard() (ValueError('bad') thrown in) = 'bad'; error = ValueError('bad')
            a step of guard(error=ValueError('bad')) (closed) raised GeneratorExit()
              clean() = None
            a step of guard() = 1
            a step of guard() (closed) raised GeneratorExit()
              clean() = None
            a step of plain() = 1
        """,
    ),
    "the else of a loop is in the loop, and in no iteration": (
        """
        def last(xs):
            for x in xs:
                pass
            else:
                x = more(x)
            while x:
                x -= 4
            else:
                more(0)
            return x

        def more(x):
            return x + 1

        last([1, 3])
        """,
        """
        module program
          last([1, 3]) = 0
            the loop `for x in xs` (line 3): x = 4
              iterations 1 to 2 of `for x in xs` (line 3): x: 1 -> 3
                iteration 1 of `for x in xs` (line 3): nothing changed
                iteration 2 of `for x in xs` (line 3): nothing changed
              more(3) = 4
            the loop `while x` (line 7): x: 4 -> 0
              iteration 1 of `while x` (line 7): x: 4 -> 0
              more(0) = 1
        """,
    ),
    "what is done after a return belongs to the call": (
        """
        def clean(n):
            return -n

        def down(n):
            try:
                return n and down(n - 1) + 1
            finally:
                done = clean(n)

        class Door:
            def __enter__(self):
                return self

            def __exit__(self, *error):
                clean(7)

        def first(xs):
            with Door():
                for x in xs:
                    return x

        down(1)
        first([5])
        """,
        """
        module program
          down(1) = 1
            down(0) = 0
              clean(0) = 0
            clean(1) = -1
          first([5]) = 5
            Door().__enter__() = Door()
            the loop `for x in xs` (line 20): x = 5, returned 5
              iteration 1 of `for x in xs` (line 20): returned 5
            Door().__exit__((None, None, None)) = None
              clean(7) = -7
        """,
    ),
    "a return that something done after it takes back": (
        """
        def other(n):
            try:
                return n
            finally:
                return n + 1

        def fails(n):
            try:
                return n
            finally:
                other(1 / n)

        def use():
            try:
                fails(0)
            except ZeroDivisionError:
                return other(5)

        use()
        """,
        """
        module program
          use() = 6
            fails(0) raised ZeroDivisionError('division by zero')
            other(5) = 6
        """,
    ),
    "how loops were left": (
        """
        def each(xs):
            try:
                for x in xs:
                    1 / x
            except ZeroDivisionError as error:
                pass
            while True:
                try:
                    for x in xs:
                        xs[9]
                finally:
                    break

        each([0])
        """,
        """
        module program
          each([0]) = None
            the loop `for x in xs` (line 4): x = 0, raised ZeroDivisionError('division by zero')
              iteration 1 of `for x in xs` (line 4): raised ZeroDivisionError('division by zero')
            the loop `while True` (line 8): left the loop
              iteration 1 of `while True` (line 8): left the loop
                the loop `for x in xs` (line 10): raised an exception
                  iteration 1 of `for x in xs` (line 10): raised an exception
        """,
    ),
    "threads of one function keep their variables apart, and objects are as they were": (
        """
        import threading

        def work(n, found, mine, other):
            for i in range(2):
                mine.acquire()
                found.append(10 * n + i)
                other.release()

        def both():
            found, first, second = [], threading.Lock(), threading.Lock()
            second.acquire()
            one = threading.Thread(target=work, args=(0, found, first, second))
            two = threading.Thread(target=work, args=(1, found, second, first))
            one.start()
            two.start()
            one.join()
            two.join()
            return found

        both()
        """,
        """
        module program
          both() = [0, 10, 1, 11]
            work(0, [], <_thread.lock object>, <_thread.lock object>): found: [] -> [0, 10, 1]
              the loop `for i in range(2)` (line 5): found: [] -> [0, 10, 1], i = 1
                iteration 1 of `for i in range(2)` (line 5): found: [] -> [0]
                iteration 2 of `for i in range(2)` (line 5): found: [0] -> [0, 10, 1]
            work(1, [0], <_thread.lock object>, <_thread.lock object>): found: [0] -> [0, 10, 1, 11]
              the loop `for i in range(2)` (line 5): found: [0] -> [0, 10, 1, 11], i = 1
                iteration 1 of `for i in range(2)` (line 5): found: [0] -> [0, 10]
                iteration 2 of `for i in range(2)` (line 5): found: [0, 10] -> [0, 10, 1, 11]
        """,
    ),
    "a pool of threads works for whoever is still there": (
        """
        from concurrent.futures import ThreadPoolExecutor

        def square(n):
            return n * n

        POOL = ThreadPoolExecutor(1)

        def early():
            return POOL.submit(square, 2).result()

        def late():
            return POOL.submit(square, 3).result()

        def use():
            return early() + late()

        use()
        POOL.shutdown()
        """,
        """
        module program
          use() = 13
            early() = 4
              square(2) = 4
            late() = 9
            square(3) = 9
        """,
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_the_tree_of_a_program(tmp_path: Path, name: str) -> None:
    program, expected = TREES[name]
    assert dump(record(tmp_path, program).subject()) == dedent(expected).strip()


@pytest.mark.parametrize("name", [name for name in TREES if "generator" in name or "task" in name or "thread" in name])
def test_the_same_calls_and_steps_exist_at_level_calls(tmp_path: Path, name: str) -> None:
    program, _expected = TREES[name]
    full, calls = (record(tmp_path, program, level=level).subject() for level in ("full", "calls"))
    assert [_outline(full), kinds(full)] == [_outline(calls), kinds(calls)]


def _outline(subject: PythonSubject) -> list[tuple[int, str]]:
    return [(depth, subject.tree.sites[int(subject.tree.site[node])].rule) for node, depth in walk(subject)]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="task groups came with Python 3.11")
def test_the_tasks_of_a_group_hang_under_whoever_has_the_group(tmp_path: Path) -> None:
    program = """
        import asyncio

        async def work(n):
            await asyncio.sleep(0)
            if n == 2:
                raise ValueError(n)
            return n

        async def main():
            found = 0
            try:
                async with asyncio.TaskGroup() as group:
                    for n in (1, 2):
                        group.create_task(work(n))
            except* ValueError as errors:
                found = len(errors.exceptions)
            return found

        asyncio.run(main())
        """
    lines = dump(record(tmp_path, program).subject()).splitlines()
    assert lines[1] == "  main() = 1"
    assert [line.strip() for line in lines if "work(" in line] == ["work(1) = 1", "work(2) raised ValueError(2)"]
    assert all(line.startswith("    ") for line in lines[2:])


def test_a_value_sent_to_a_generator_is_part_of_the_state_before_the_step(tmp_path: Path) -> None:
    program = """
        def echo():
            got = yield
            while True:
                try:
                    got = yield got
                except KeyError as error:
                    got = error

        steps = echo()
        next(steps)
        steps.send([5])
        steps.throw(KeyError("x"))
        """
    subject = record(tmp_path, program).subject()
    sent, thrown = (subject.behaviour(node_of(subject, f"a step of echo({n}")) for n in (") (sent", "got=[5]) ("))
    assert [(b.name, b.value.text) for b in sent.before.bindings] == [("yield", "[5]")]
    assert [(b.name, b.value.text) for b in thrown.before.bindings] == [
        ("got", "[5]"),
        ("yield raises", "KeyError('x')"),
    ]


def test_a_generator_of_very_many_steps_has_its_variables(tmp_path: Path) -> None:
    program = """
        def numbers(n):
            for i in range(n):
                yield i

        sum(numbers(3000))
        """
    subject = record(tmp_path, program).subject()
    last = subject.tree.size.tolist()[0] - 1
    assert subject.behaviour(last).text == "a step of numbers(3000, i=2999) ended the generator"


def test_the_generator_that_a_step_delegates_to_is_asked_about(tmp_path: Path) -> None:
    program = """
        def inner(n):
            yield n

        def outer(n):
            yield n
            yield from inner(n + 1)

        list(outer(3))
        """
    subject = record(tmp_path, program).subject()
    inner = subject.inside(node_of(subject, "a step of outer(3) = 4"))
    assert inner is not None
    texts = [inner.behaviour(node).text for node in range(1, len(inner.tree.size))]
    assert texts[1:] == ["yield from inner(n + 1): handed on", "inner(n + 1) = <generator inner>", "n + 1 = 4"]


def test_loops_recorded_at_the_level_of_calls_say_that_they_are_coarse(tmp_path: Path) -> None:
    program = """
        def total(numbers):
            found = 0
            for number in numbers:
                found += number
            return found

        total([1, 2])
        """
    subject = record(tmp_path, program, level="calls").subject()
    behaviours = [subject.behaviour(node) for node, _ in walk(subject)]
    assert [b.coarse for b in behaviours[:2]] == ["", ""]
    assert [kind for kind in kinds(subject)[2:] if kind not in ("loop", "iteration")] == []
    for behaviour in behaviours[2:]:
        assert "calls" in behaviour.coarse
        assert "nothing changed" not in behaviour.text


def test_threads_that_record_much_are_written_while_they_run(tmp_path: Path) -> None:
    program = """
        import threading, time

        def step(n):
            return n + 1

        def work(n):
            total = 0
            for i in range(n):
                total = step(total)
            return total

        def both(n):
            threads = [threading.Thread(target=work, args=(n,)) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        both(150_000)
        """
    recorded = record(tmp_path, program, level="calls")
    run = recorded.opened.run
    assert recorded.ended.how == "finished"
    names = [run.spans.routines[number].name for number in run.spans.routine]
    assert (names.count("step"), names.count("work") > 2) == (300_000, True)
    assert sum(int(flag) for flag in run.spans.flags) == 0
    works = [span for span in map(run.spans.__getitem__, range(len(run.spans))) if span.routine.name == "work"]
    results = [run.ending(span) for span in works if span.number == span.activation]
    assert [run.recording.values.atom(r.words[-1]) for r in results if r is not None] == [150_000, 150_000]
