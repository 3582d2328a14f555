"""Which code two versions share, and the smallest places that differ."""

from pathlib import Path

import pytest

from adebug_lsp.languages.python.oracles.code_identity import CodeIdentity
from adebug_lsp.languages.python.reading.static import Module, Routine
from adebug_lsp.model.text import whole_lines
from tests.languages.python.recorded import record

UNCHANGED = {
    "comments and blank lines": ("x = 1\n", "# new\n\nx = 1  # one\n"),
    "docstrings": ("def f():\n    return 1\n", 'def f():\n    """New."""\n    return 1\n'),
    "annotations": ("def f(x):\n    y = x\n    return y\n", "def f(x: int) -> int:\n    y = x\n    return y\n"),
    "a helper that nothing mentions": (
        "def f():\n    return 1\n",
        "def g():\n    return 2\n\ndef f():\n    return 1\n",
    ),
    "an import that nothing mentions": ("x = 1\n", "import json\nfrom typing import Any\nx = 1\n"),
    "a constant that nothing mentions": ("x = 1\n", "_NEW = (1, 2)\nx = 1\n"),
    "a method that nothing mentions": (
        "class A:\n    x = 1\n",
        "class A:\n    x = 1\n    def m(self):\n        pass\n",
    ),
    "the body of a function, for its module": ("def f():\n    return 1\n", "def f():\n    return 2\n"),
    "imports for type checkers": (
        "x = 1\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nx = 1\n",
    ),
}
CHANGED = {
    "a constant": ("x = 1\n", "x = 2\n", ["x = 1"]),
    "an entry of a table": ("x = {\n    'a': 1,\n    'b': 2,\n}\n", "x = {'a': 1, 'b': 3}\n", None),
    "a default": ("def f(a, k=1):\n    pass\n", "def f(a, k=2):\n    pass\n", ["k=1"]),
    "a default by keyword": ("def f(*, k=1):\n    pass\n", "def f(*, k=2):\n    pass\n", ["k=1"]),
    "a decorator": ("@d(1)\ndef f():\n    pass\n", "@d(2)\ndef f():\n    pass\n", ["d(1)"]),
    "a class attribute": ("class A:\n    x = 1\n    y = 2\n", "class A:\n    x = 1\n    y = 3\n", ["y = 2"]),
    "a base class": ("class A(B):\n    x = 1\n", "class A(C):\n    x = 1\n", None),
    "a special method": (
        "class A:\n    x = 1\n",
        "class A:\n    x = 1\n    def __eq__(s, o):\n        pass\n",
        ["x = 1"],
    ),
    "a function that the code mentions": ("x = 1\n\ndef f():\n    return g()\n", "x = 1\ndef g():\n    pass\n", None),
    "a missing assignment": ("x = 1\ny(x)\n", "x = 1\nx += 1\ny(x)\n", ["y(x)"]),
    "a missing call": ("x = 1\ny(x)\n", "x = 1\nz()\ny(x)\n", ["x = 1"]),
    "an entry of one table": ("x = {'a': 1, 'b': [2, 3]}\n", "x = {'a': 1, 'b': [2, 4]}\n", ["3"]),
    "an entry by name": ("x = {'a': 1, 'b': 2}\n", "x = {'a': 1, 'b': 3}\n", ["'b': 2"]),
    "two entries": ("x = {'a': 1, 'b': 2}\n", "x = {'a': 2, 'b': 3}\n", ["{'a': 1, 'b': 2}"]),
}


def identity(wrong: str, right: str) -> tuple[CodeIdentity, Routine]:
    module = Module("a.py", "a", wrong, 100)
    routine = Routine("<module>", "", -1, "module", (), False, module, 0)
    return CodeIdentity([module], {"a.py": right}), routine


@pytest.mark.parametrize("name", UNCHANGED)
def test_code_that_does_not_count_is_no_change(name: str) -> None:
    wrong, right = UNCHANGED[name]
    for versions in ((wrong, right), (right, wrong)):
        compared, routine = identity(*versions)
        assert compared.is_shared(routine)


@pytest.mark.parametrize("name", CHANGED)
def test_the_own_code_of_a_module_is_compared(name: str) -> None:
    wrong, right, expected = CHANGED[name]
    compared, routine = identity(wrong, right)
    assert not compared.is_shared(routine)
    if expected is not None:
        assert [text(wrong, compared, routine)] == [expected]


def text(source: str, compared: CodeIdentity, routine: Routine) -> list[str]:
    lines = whole_lines(source)
    ranges = [place.range for place in compared.changes(routine)]
    assert all(part.start.line == part.end.line for part in ranges)
    return [lines[part.start.line][part.start.column : part.end.column] for part in ranges]


FUNCTIONS = {
    "an operand": ("return [a for a in x if a > 1]", "return [a for a in x if a > 2]", ["a > 1"]),
    "an argument": ("return max(x, 1)", "return max(x, 2)", ["max(x, 1)"]),
    "the head of a loop": ("for a in x[1:]:\n        a()", "for a in x:\n        a()", ["x[1:]"]),
    "one of two branches": (
        "if x:\n        return 1\n    return 2",
        "if x:\n        return 3\n    return 2",
        ["return 1"],
    ),
    "a missing statement": ("y = x\n    return y", "y = x\n    y.sort()\n    return y", ["y = x"]),
    "a missing exit": (
        "if x:\n        y()\n    return y",
        "if x:\n        y()\n    if z:\n        return z\n    return y",
        ["return y"],
    ),
    "a missing call after a loop": (
        "for a in x:\n        a()\n    return y",
        "for a in x:\n        a()\n    x.sort()\n    return y",
        ["for"],
    ),
    "a missing exit before a function": (
        "def inner():\n        pass\n    return inner",
        "if not x:\n        return None\n    def inner():\n        pass\n    return inner",
        ["def inner"],
    ),
    "a statement too much": ("y = x\n    y.sort()\n    return y", "y = x\n    return y", ["y.sort()"]),
    "a lambda's own code": ("y = lambda a: a + 1\n    return y", "y = lambda a: a + 2\n    return y", []),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_smallest_places_of_a_function_are_found(name: str, tmp_path: Path) -> None:
    before, after, expected = FUNCTIONS[name]
    wrong, right = (f"def f(x):\n    {body}\n" for body in (before, after))
    (module,) = record(tmp_path, wrong).opened.run.program.modules
    routine = next(routine for routine in module.routines if routine.name == "f")
    compared = CodeIdentity([module], {module.path: right})
    assert text(wrong, compared, routine) == expected
    assert compared.is_shared(routine) is not bool(expected)


def test_a_file_that_the_reference_lacks_counts_as_unchanged() -> None:
    module = Module("a.py", "a", "x = 1\n", 100)
    assert CodeIdentity([module], {}).is_shared(Routine("<module>", "", -1, "module", (), False, module, 0))


def test_syntax_of_another_python_is_not_compared() -> None:
    compared, routine = identity("x = 1\n", "x = = 1\n")
    assert not compared.is_shared(routine)
    assert compared.changes(routine) == ()
