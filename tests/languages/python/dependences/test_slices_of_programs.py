"""Slices of small programs, line by line."""

import json
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from adebug_lsp.model.errors import NoSuchValueError
from adebug_lsp.slicing.slicer import Slicer
from tests.languages.python.recorded import record
from tests.warm_start import COMMAND

WORD_COUNT = """\
def count(text):
    lines = 1
    chars = 0
    shown = ""
    number = 0
    while number < len(text):
        current = text[number]
        if current == ".":
            lines = lines + 1
            shown = shown + "!"
        chars = chars + 1
        number = number + 1
    print(lines)
    print(chars)
    print(shown)


count("hello world!")
"""
"""After Figure 1.4 of Silva's thesis: a program that counts lines and characters."""


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Slicer:
    run = record(tmp_path_factory.mktemp("counted"), WORD_COUNT)
    return run.opened.slicer(run.subject())


def lines_of(slicer: Slicer, line_number: int, name: str, *, nth: int | None = None) -> set[int]:
    slice_ = slicer.backward(slicer.variable("program.py", line_number - 1, name, nth))
    return {line + 1 for line in slice_.lines()["program.py"]}


def sliced(folder: Path, program: str, line_number: int, name: str) -> set[int]:
    run = record(folder, program)
    return lines_of(run.opened.slicer(run.subject()), line_number, name)


def test_a_relevant_slice_has_the_condition_that_left_a_variable_alone(counted: Slicer) -> None:
    assert lines_of(counted, 13, "lines") == {2, 5, 6, 7, 8, 12, 18}


def test_a_slice_of_another_variable_leaves_it_out(counted: Slicer) -> None:
    assert lines_of(counted, 14, "chars") == {3, 5, 6, 11, 12, 18}


def test_a_slice_can_be_taken_of_an_earlier_time(counted: Slicer) -> None:
    steps = [slicer_steps(counted, nth) for nth in (1, 2, 12)]
    assert steps == sorted(steps)
    assert steps[0] < steps[2]


def slicer_steps(slicer: Slicer, nth: int) -> int:
    return len(slicer.backward(slicer.variable("program.py", 10, "chars", nth)).steps)


def test_a_dice_leaves_out_what_a_right_value_depends_on(counted: Slicer) -> None:
    wrong = counted.backward(counted.variable("program.py", 12, "lines", None))
    right = counted.backward(counted.variable("program.py", 13, "chars", None))
    assert wrong.without(right).lines()["program.py"] == {1, 6, 7}


def test_a_forward_slice_and_a_chop(counted: Slicer) -> None:
    source = counted.variable("program.py", 2, "chars", None)
    assert counted.forward(source).lines()["program.py"] == {2, 10, 13}
    target = counted.variable("program.py", 10, "chars", None)
    assert counted.chop(source, target).lines()["program.py"] == {2, 10}


def test_an_element_depends_on_its_own_write_and_the_length(tmp_path: Path) -> None:
    program = """\
        def fill(xs, other):
            xs.append(1)
            xs.append(other)
            xs[0] = 7
            other = 5
            return xs[0]
        x = fill([], 3)
        """
    assert sliced(tmp_path, dedent(program), 7, "x") == {2, 3, 4, 6, 7}


def test_what_a_method_left_alone_is_relevant(tmp_path: Path) -> None:
    program = """\
        class Account:
            def __init__(self):
                self.total = 0
            def add(self, n):
                if n > 100:
                    self.total += n
        account = Account()
        limit = 5
        account.add(limit)
        unused = 3
        total = account.total
        """
    assert sliced(tmp_path, dedent(program), 11, "total") == {3, 5, 7, 8, 9, 11}


def test_a_caught_exception_decides(tmp_path: Path) -> None:
    program = """\
        def check(n):
            if n > 2:
                raise ValueError(n)
            return n
        level = 3
        spare = 4
        try:
            answer = check(level)
        except ValueError:
            answer = 0
        """
    lines = sliced(tmp_path, dedent(program), 10, "answer")
    assert lines >= {2, 3, 5, 8, 10}
    assert 6 not in lines


def test_two_results_of_one_call_have_slices_of_their_own(tmp_path: Path) -> None:
    program = """\
        def both():
            one = 1
            two = 2
            return one, two
        a, b = both()
        """
    assert sliced(tmp_path, dedent(program), 5, "a") == {2, 4, 5}


def test_a_value_that_is_not_there_is_refused_with_what_there_is(counted: Slicer) -> None:
    for line, name, nth, message in (
        (1, "wrong", None, "there are: text, lines"),
        (10, "chars", 13, "ran 12 times"),
        (8, "lines", None, "did not run"),
    ):
        with pytest.raises(NoSuchValueError, match=message):
            counted.variable("program.py", line, name, nth)
    with pytest.raises(NoSuchValueError, match=r"its files are: program\.py"):
        counted.variable("other.py", 1, None, None)


# The command


def adebug(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [*COMMAND, "slice", *arguments, "run.adebug"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_the_command_shows_source_steps_json_and_a_page(tmp_path: Path) -> None:
    record(tmp_path, WORD_COUNT)
    shown = adebug(tmp_path, "--at", "program.py:14:chars")
    assert ">    11 |         chars = chars + 1" in shown.stdout.splitlines()
    assert "lines + 1" not in shown.stdout
    steps = adebug(tmp_path, "--at", "program.py:11", "--variable", "chars", "--nth", "1", "--steps")
    assert [line.split(None, 1)[0] for line in steps.stdout.splitlines()[2:]] == [
        f"program.py:{line}" for line in (3, 5, 6, 11, 18)
    ]
    printed = json.loads(adebug(tmp_path, "--at", "program.py:14:chars", "--json").stdout)
    assert printed["lines"] == {"program.py": [2, 4, 5, 10, 11, 17]}
    assert adebug(tmp_path, "--of", "count", "--part", "before.text", "--html", "out.html").returncode == 0
    assert '<span class="in">   18  count(&quot;hello world!&quot;)</span>' in (tmp_path / "out.html").read_text()
    assert adebug(tmp_path, "--at", "program.py:14:chars", "--latex", "out.tex").returncode == 0
    document = (tmp_path / "out.tex").read_text().splitlines()
    assert "   11          chars = chars + 1" in document
    assert r"\textcolor{lightgray}{    9              lines = lines + 1}" in document


def test_the_command_refuses_what_is_wrong(tmp_path: Path) -> None:
    record(tmp_path, WORD_COUNT)
    for arguments, message in (
        (["--at", "program.py"], "is not FILE:LINE"),
        (["--at", "program.py:9"], "did not run [no-such-value]"),
        (["--of", "amount"], "no call of amount is recorded [no-such-value]"),
        (["--of", "count", "--part", "result[3]"], "there is no result[3] [no-such-value]"),
    ):
        done = adebug(tmp_path, *arguments)
        assert (done.returncode, message in done.stderr, done.stdout) == (2, True, ""), done.stderr


# Executable slices

SHOP = {
    "shop.py": """\
        import os, sys
        from dataclasses import dataclass
        from rates import RATE, unused_rate


        # What is bought.
        @dataclass
        class Basket:
            name: str
            total: float = 0.0

            def add(self, price):
                \"""Add.\"""
                if price > 100:
                    return
                self.total += price

            def unused(self):
                return 1


        def log(text):
            print(text, file=sys.stderr)


        def main():
            baskets = [Basket("a"), Basket("b")]
            count = 0
            for n in range(3):
                log(f"n is {n}")
                count += 1
                for basket in baskets:
                    try:
                        basket.add(n * RATE)
                    except ValueError:
                        log("bad")
                    else:
                        log("good")
            if count > 1: log("many"); extra = 4
            else:
                log("few")
            result = baskets[1].total
            print(result)


        if __name__ == "__main__":
            main()
        """,
    "rates.py": """\
        import math

        BASE = 2
        RATE = math.floor(BASE * 1.5)
        OTHER = 7


        def unused_rate():
            return OTHER
        """,
}


def run_program(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(dedent(text))
    command = [sys.executable, "-m", "adebug_lsp", "run", next(iter(files))]
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)


def executable(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "adebug_lsp", "slice", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_an_executable_slice_is_a_program_without_the_rest(tmp_path: Path) -> None:
    run_program(tmp_path, SHOP)
    done = executable(tmp_path, "--at", "shop.py:43:result", "--executable", "out")
    assert "it was run, with the same result after shop.py:26" in done.stdout, done.stderr
    assert (tmp_path / "out/rates.py").read_text() == "import math\n\nBASE = 2\nRATE = math.floor(BASE * 1.5)\n"
    assert (tmp_path / "out/shop.py").read_text() == dedent("""\
        from dataclasses import dataclass
        from rates import RATE


        # What is bought.
        @dataclass
        class Basket:
            name: str
            total: float = 0.0

            def add(self, price):
                if price > 100:
                    pass
                self.total += price


        def main():
            baskets = [Basket("a"), Basket("b")]
            for n in range(3):
                for basket in baskets:
                    try:
                        basket.add(n * RATE)
                    except ValueError:
                        pass
            result = baskets[1].total
            pass


        if __name__ == "__main__":
            main()
        """)
    again = executable(tmp_path, "--at", "shop.py:43:result", "--executable", "out")
    assert (again.returncode, "out already exists" in again.stderr) == (2, True)


def test_an_executable_slice_of_an_earlier_call_is_one_file(tmp_path: Path) -> None:
    program = """\
        def double(n):
            twice = n * 2
            other = n * 3
            return twice, other
        first = double(3)
        double(4)
        second = double(5)
        double(6)
        """
    run_program(tmp_path, {"program.py": program})
    done = executable(tmp_path, "--of", "double", "--part", "result[0]", "--nth", "3", "--executable", "out.py")
    assert "5 of 8 lines; it was run, with the same result[0] of double(5) = (10, 15)" in done.stdout, done.stderr
    assert (tmp_path / "out.py").read_text().splitlines()[-1] == "second = double(5)"


def test_a_program_that_gives_another_value_is_not_written(tmp_path: Path) -> None:
    program = """\
        import time
        start = time.time()
        later = start + 1
        """
    run_program(tmp_path, {"program.py": program})
    done = executable(tmp_path, "--at", "program.py:3:later", "--executable", "out.py")
    assert (done.returncode, done.stdout, (tmp_path / "out.py").exists()) == (2, "", False)
    assert "no program without the rest gives the same later after program.py:3" in done.stderr
