"""The execution tree of small programs, written out; and what long runs cost in questions and in words."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.session.outcome import Ask, Found
from adebug_lsp.session.session import Session
from tests.languages.python.recorded import dump, kinds, record, walk

TREES = {
    "recursion": (
        """
        def fact(n):
            if n == 0:
                return 1
            return n * fact(n - 1)

        fact(2)
        """,
        """
        module program
          fact(2) = 2
            fact(1) = 1
              fact(0) = 1
        """,
    ),
    "mutual recursion": (
        """
        def even(n):
            return True if n == 0 else odd(n - 1)

        def odd(n):
            return False if n == 0 else even(n - 1)

        even(2)
        """,
        """
        module program
          even(2) = True
            odd(1) = True
              even(0) = True
        """,
    ),
    "a loop with continue": (
        """
        def total(numbers):
            found = 0
            for number in numbers:
                if number < 0:
                    continue
                found += number
            return found

        total([1, -2, 3])
        """,
        """
        module program
          total([1, -2, 3]) = 4
            the loop `for number in numbers` (line 4): found: 0 -> 4, number = 3
              iterations 1 to 2 of `for number in numbers` (line 4): number: 1 -> -2, found: 0 -> 1
                iteration 1 of `for number in numbers` (line 4): found: 0 -> 1
                iteration 2 of `for number in numbers` (line 4): nothing changed
              iteration 3 of `for number in numbers` (line 4): found: 1 -> 4
        """,
    ),
    "a loop that is broken off, so that its else does not run": (
        """
        def first_large(numbers):
            for number in numbers:
                if number > 9:
                    break
            else:
                number = None
            return number

        first_large([1, 20, 3])
        """,
        """
        module program
          first_large([1, 20, 3]) = 20
            the loop `for number in numbers` (line 3): number = 20, left the loop
              iteration 1 of `for number in numbers` (line 3): nothing changed
              iteration 2 of `for number in numbers` (line 3): left the loop
        """,
    ),
    "a loop in a loop": (
        """
        def table(n):
            out = []
            i = 0
            while i < n:
                row = []
                for j in range(2):
                    row.append(i * j)
                out.append(row)
                i += 1
            return out

        table(2)
        """,
        """
        module program
          table(2) = [[0, 0], [0, 1]]
            the loop `while i < n` (line 5): i: 0 -> 2, row = [0, 1], j = 1, out: [] -> [[0, 0], [0, 1]]
              iteration 1 of `while i < n` (line 5): i: 0 -> 1, row = [0, 0], j = 1, out: [] -> [[0, 0]]
                the loop `for j in range(2)` (line 7): row: [] -> [0, 0], j = 1
                  iteration 1 of `for j in range(2)` (line 7): row: [] -> [0]
                  iteration 2 of `for j in range(2)` (line 7): row: [0] -> [0, 0]
              iteration 2 of `while i < n` (line 5): i: 1 -> 2, row: [0, 0] -> [0, 1], out: [[0, 0]] -> [[0, 0], [0, 1]]
                the loop `for j in range(2)` (line 7): row: [] -> [0, 1]
                  iteration 1 of `for j in range(2)` (line 7): row: [] -> [0]
                  iteration 2 of `for j in range(2)` (line 7): row: [0] -> [0, 1]
        """,
    ),
    "a return out of two loops": (
        """
        def find(rows, wanted):
            for row in rows:
                for cell in row:
                    if cell == wanted:
                        return row
            return None

        find([[1], [2]], 2)
        after = find([], 2)
        """,
        """
        module program
          find([[1], [2]], 2) = [2]
            the loop `for row in rows` (line 3): cell = 2, row = [2], returned [2]
              iteration 1 of `for row in rows` (line 3): cell = 1
                the loop `for cell in row` (line 4): cell = 1
                  iteration 1 of `for cell in row` (line 4): nothing changed
              iteration 2 of `for row in rows` (line 3): cell: 1 -> 2, returned [2]
                the loop `for cell in row` (line 4): cell = 2, returned [2]
                  iteration 1 of `for cell in row` (line 4): returned [2]
          find([], 2) = None
            the loop `for row in rows` (line 3): nothing changed
        """,
    ),
    "an exception out of a loop, caught outside": (
        """
        def check(x):
            if x == 2:
                raise ValueError(x)
            return x

        def each(numbers):
            for x in numbers:
                check(x)

        def top():
            try:
                each([1, 2, 3])
            except ValueError as error:
                check(7)
                return error.args

        top()
        """,
        """
        module program
          top() = (2,)
            each([1, 2, 3]) raised ValueError(2)
              the loop `for x in numbers` (line 8): x = 2, raised ValueError(2)
                iteration 1 of `for x in numbers` (line 8): nothing changed
                  check(1) = 1
                iteration 2 of `for x in numbers` (line 8): raised ValueError(2)
                  check(2) raised ValueError(2)
            check(7) = 7
        """,
    ),
    "an exception that is caught in the same routine, outside of the loop": (
        """
        def check(x):
            if x == 2:
                raise ValueError(x)

        def top():
            try:
                for x in [2, 3]:
                    check(x)
            except ValueError:
                check(7)
            check(8)

        top()
        """,
        """
        module program
          top() = None
            the loop `for x in [2, 3]` (line 8): x = 2, raised ValueError(2)
              iteration 1 of `for x in [2, 3]` (line 8): raised ValueError(2)
                check(2) raised ValueError(2)
            check(7) = None
            check(8) = None
        """,
    ),
    "an exception that passes through": (
        """
        def low():
            raise KeyError("a")

        def middle():
            try:
                low()
            except ValueError:
                pass
            finally:
                clean()

        def clean():
            pass

        def high():
            try:
                middle()
            except KeyError:
                return "caught"

        high()
        """,
        """
        module program
          high() = 'caught'
            middle() raised KeyError('a')
              low() raised KeyError('a')
              clean() = None
        """,
    ),
    "a generator has a node for each step": (
        """
        def count(n):
            got = yield n
            while n:
                n -= 1
                yield n

        def use():
            numbers = count(2)
            first = next(numbers)
            numbers.send(5)
            return first, list(numbers)

        use()
        """,
        """
        module program
          use() = (2, [0])
            a step of count(2) = 2
            a step of count(2) (sent 5) = 1; n: 2 -> 1, got = 5
            a step of count(1, got=5) = 0; n: 1 -> 0
            a step of count(0, got=5) ended the generator
        """,
    ),
    "what a step of a generator calls is below the step": (
        """
        def double(x):
            return 2 * x

        def doubled(numbers):
            for number in numbers:
                yield double(number)

        def use():
            return sum(doubled([3, 4]))

        use()
        """,
        """
        module program
          use() = 14
            a step of doubled([3, 4]) = 6; number = 3
              double(3) = 6
            a step of doubled([3, 4], number=3) = 8; number: 3 -> 4
              double(4) = 8
            a step of doubled([3, 4], number=4) ended the generator
        """,
    ),
    "callbacks hang under the call that led to them": (
        """
        def key(x):
            return -x

        def use():
            ordered = sorted([1, 3], key=key)
            return list(map(lambda x: x + 1, ordered))

        use()
        """,
        """
        module program
          use() = [4, 2]
            key(1) = -1
            key(3) = -3
            use.<locals>.<lambda>(3) = 4
            use.<locals>.<lambda>(1) = 2
        """,
    ),
    "a class body, methods and a property": (
        """
        def twice(x):
            return 2 * x

        class Box:
            size = twice(3)

            def __init__(self, n):
                self.n = n

            def grow(self, by):
                self.n += by
                return self

            @property
            def double(self):
                return twice(self.n)

        Box(1).grow(2).double
        """,
        """
        module program
          twice(3) = 6
          Box().__init__(1): self.n: 1, new
          Box(n=1).grow(2) = Box(n=3)
          Box(n=3).double() = 6
            twice(3) = 6
        """,
    ),
    "lambdas, one of which raises": (
        """
        def apply(function, x):
            return function(x)

        def careful():
            try:
                apply(lambda v: 1 / v, 0)
            except ZeroDivisionError:
                return apply(lambda v: v, 9)

        careful()
        """,
        """
        module program
          careful() = 9
            apply(<function <lambda>>, 0) raised ZeroDivisionError('division by zero')
              careful.<locals>.<lambda>(0) raised ZeroDivisionError('division by zero')
            apply(<function <lambda>>, 9) = 9
              careful.<locals>.<lambda>(9) = 9
        """,
    ),
    "a closure": (
        """
        def counter():
            n = 0
            def more():
                nonlocal n
                n += 1
                return n
            return more

        more = counter()
        more()
        more()
        """,
        """
        module program
          counter() = <function more>
          counter.<locals>.more() = 1
          counter.<locals>.more() = 2
        """,
    ),
    "a manager learns of an exception outside of the loop that it left": (
        """
        class Calm:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, trace):
                return self.is_fine(kind)

            def is_fine(self, kind):
                return kind is ValueError

        def count():
            with Calm():
                for n in range(2):
                    if n:
                        raise ValueError

        count()
        """,
        """
        module program
          count() = None
            Calm().__enter__() = Calm()
            the loop `for n in range(2)` (line 14): n = 1, raised ValueError()
              iteration 1 of `for n in range(2)` (line 14): nothing changed
              iteration 2 of `for n in range(2)` (line 14): raised ValueError()
            Calm().__exit__(<class 'ValueError'>, ValueError(), <traceback>) = True
              Calm().is_fine(<class 'ValueError'>) = True
        """,
    ),
    "threads hang under the call that started them": (
        """
        import threading

        found = []

        def work(n):
            found.append(double(n))

        def double(n):
            return n * 2

        def wait(n):
            thread = threading.Thread(target=work, args=(n,))
            thread.start()
            thread.join()

        wait(1)
        wait(2)
        """,
        """
        module program
          wait(1): found: [] -> [2]
            work(1): found: [] -> [2]
              double(1) = 2
          wait(2): found: [2] -> [2, 4]
            work(2): found: [2] -> [2, 4]
              double(2) = 4
        """,
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_the_tree_of_a_program(tmp_path: Path, name: str) -> None:
    program, expected = TREES[name]
    shown = re.sub(r"<traceback \d+>", "<traceback>", dump(record(tmp_path, program).subject()))
    assert shown == dedent(expected).strip()


def test_imported_modules_are_children_of_the_import(tmp_path: Path) -> None:
    files = {
        "program.py": "import pack.one\nfrom pack import two\ntwo.f(1)\n",
        "pack/__init__.py": "X = 1\n",
        "pack/one.py": "import pack.two\nY = pack.two.f(2)\n",
        "pack/two.py": "def f(x):\n    return x + 1\n",
    }
    assert dump(record(tmp_path, files).subject()).splitlines() == [
        "module program", "  module pack", "  module pack.one", "    module pack.two", "    f(2) = 3", "  f(1) = 2",
    ]  # fmt: skip


def test_the_calls_of_both_levels_are_the_same(tmp_path: Path) -> None:
    for name, (program, _expected) in TREES.items():
        full, calls = (_calls(tmp_path, program, level) for level in ("full", "calls"))
        assert full == calls, name


def _calls(folder: Path, program: str, level: str) -> list[str]:
    subject = record(folder, program, level=level).subject()
    of_calls = zip(kinds(subject), walk(subject), strict=True)
    texts = [subject.behaviour(node).text for kind, (node, _) in of_calls if kind in ("routine", "lambda", "generator")]
    # What variables of a generator hold is known at one level only.
    return [re.sub(r"^a step of (\w+)\(.*?\)([^;]*).*", r"a step of \1\2", text) for text in texts]


def test_each_task_of_a_coroutine_is_one_node(tmp_path: Path) -> None:
    program = """
        import asyncio

        async def fetch(n):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return n * 2

        async def main():
            return await asyncio.gather(fetch(1), fetch(2), fetch(3))

        asyncio.run(main())
        """
    subject = record(tmp_path, program).subject()
    assert kinds(subject).count("coroutine") == 4
    first = [subject.behaviour(node).text.partition(" = ")[0] for node, _ in walk(subject)]
    assert sorted(first) == ["fetch(1)", "fetch(2)", "fetch(3)", "main()", "module program"]


LONG = """
    def step(i, total):
        if i == 7310:
            return total + i + 1
        return total + i

    def add_up(n):
        total = 0
        for i in range(n):
            total = step(i, total)
        return total

    add_up(10_000)
    """


def test_one_wrong_iteration_of_ten_thousand_is_found_in_twenty_questions(tmp_path: Path) -> None:
    session = Session(record(tmp_path, LONG).subject())
    asked = 0
    while isinstance(session.outcome, Ask):
        asked += 1
        session.answer(Judgement.YES if _meant(session.outcome.question) else Judgement.NO)
    assert asked <= 20
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.text == "total + i + 1 = 26721706"


def _meant(question: Question) -> bool:
    """Answers of a person who knows that the total grows by i in every iteration."""
    text = question.behaviour.text
    numbers = [int(word) for word in re.findall(r"\d+", text)]
    if question.zoomed:
        return text.startswith("total + i = ") or question.facts.kind not in (NodeKind.STATEMENT, NodeKind.EXPRESSION)
    if text.startswith("step("):
        i, before, after = numbers
        return after == before + i
    grown = re.search(r"total: (\d+) -> (\d+)", text)
    if text.startswith("iteration") and grown is not None:
        low, high = numbers[0], numbers[1] if text.startswith("iterations") else numbers[0]
        return int(grown[2]) - int(grown[1]) == sum(range(low - 1, high))
    return False


SORT = """
    import random, sys
    swaps = 0

    def quicksort(a, low, high):
        global swaps
        while low < high:
            pivot, i, j = a[(low + high) // 2], low, high
            while i <= j:
                while a[i] < pivot:
                    i += 1
                while a[j] > pivot:
                    j -= 1
                if i <= j:
                    a[i], a[j] = a[j], a[i]
                    swaps += 1
                    i += 1
                    j -= 1
            quicksort(a, low, j)
            low = i

    numbers = list(range(int(sys.argv[1])))
    random.Random(3).shuffle(numbers)
    quicksort(numbers, 0, len(numbers) - 1)
    print(swaps)
    assert numbers == list(range(len(numbers)))
    """


def test_the_cost_of_sorting_in_place_grows_with_the_swaps(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words, swaps, sizes = [], [], []
    for size in (2_500, 20_000):
        recorded = record(tmp_path, SORT, args=(str(size),), level="calls")
        assert recorded.ended.how == "finished"
        words.append(len(recorded.opened.run.recording.words))
        sizes.append((tmp_path / "run.adebug").stat().st_size)
        swaps.append(int(capfd.readouterr().out))
    growth = swaps[1] / swaps[0]
    assert words[1] / words[0] < 1.3 * growth
    assert sizes[1] / sizes[0] < 1.5 * growth
