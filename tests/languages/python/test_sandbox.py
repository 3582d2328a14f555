"""The parts of the sandbox: alignment, grafting, comparison, and the process itself."""

import ast
import sys
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from types import CodeType, GeneratorType
from typing import Any, cast

import pytest

from adebug_lsp.languages.python.sandbox.guest.modules import CannotAnswer
from adebug_lsp.languages.python.sandbox.guest.objects.comparison import Comparison, close
from adebug_lsp.languages.python.sandbox.guest.objects.rebuild import Rebuilder, Standin
from adebug_lsp.languages.python.sandbox.guest.objects.value_text import canonical, text
from adebug_lsp.languages.python.sandbox.guest.versions.alignment import align
from adebug_lsp.languages.python.sandbox.guest.versions.graft import graft, loadable
from adebug_lsp.languages.python.sandbox.guest.versions.routine_syntax import bound, head, routines
from adebug_lsp.languages.python.sandbox.sandbox_process import Sandbox
from adebug_lsp.model.errors import OracleError
from tests.support import ROOT

PROGRAMS = ROOT / "tests" / "programs"

# Aligning


def smallest_differences(mine: ast.AST, theirs: ast.AST) -> list[tuple[str, str | None]]:
    """The nodes inside a function that differ while nothing inside them does, with their counterparts."""
    pairs = align(mine, theirs)
    del pairs[id(mine)]
    differing = {id(node): node for node in ast.walk(mine) if id(node) in pairs and _differ(node, pairs[id(node)])}
    pairs_found: list[tuple[str, str | None]] = []
    for node in ast.walk(mine):
        if id(node) in differing and not any(id(inner) in differing for inner in ast.walk(node) if inner is not node):
            pairs_found.append((ast.unparse(node), ast.unparse(pairs[id(node)])))
        elif isinstance(node, ast.stmt) and id(node) not in pairs and node is not mine:
            pairs_found.append((ast.unparse(node), None))
    return pairs_found


def _differ(node: ast.AST, other: ast.AST) -> bool:
    return ast.dump(node) != ast.dump(other)


def function(*lines: str) -> ast.stmt:
    return ast.parse("def f(a, b):\n" + "".join(f"    {line}\n" for line in lines)).body[0]


@pytest.mark.parametrize(
    ("recorded", "reference", "expected"),
    [
        (["return a + 1"], ["return a - 1"], ("a + 1", "a - 1")),
        (["return g(a - 1, b)"], ["return g(a, b)"], ("a - 1", "a")),
        (["return g(b, a)"], ["return g(a, b)"], ("g(b, a)", "g(a, b)")),
        (["return h(a)"], ["return g(a)"], ("h(a)", "g(a)")),
        (["return a * b"], ["return a * a"], ("a * b", "a * a")),
        (["return 1 + a / 12 ** b"], ["return (1 + a / 12) ** b"], ("1 + a / 12 ** b", "(1 + a / 12) ** b")),
        (["while a < b:", "    a += 1"], ["while a <= b:", "    a += 1"], ("a < b", "a <= b")),
        (["for x in a:", "    break"], ["for x in a:", "    continue"], ("break", "continue")),
        (["x = 1", "y = x", "return y"], ["y = x", "return y"], ("x = 1", None)),
        (["g(a)"], ["return g(a)"], ("g(a)", "return g(a)")),
        (
            ["try:", "    g()", "except E:", "    pass"],
            ["try:", "    g()", "except E:", "    return 1"],
            ("pass", "return 1"),
        ),
    ],
)
def test_the_smallest_difference(recorded: list[str], reference: list[str], expected: tuple[str, str | None]) -> None:
    assert smallest_differences(function(*recorded), function(*reference)) == [expected]


def test_unchanged_statements_find_each_other_around_changed_ones() -> None:
    recorded = function("x = 1", "y = 2", "z = 3", "return x")
    reference = function("x = 1", "new = 0", "y = 5", "if b:", "    q = 1", "z = 3", "return x")
    assert smallest_differences(recorded, reference) == [("2", "5")]


def programs() -> list[str]:
    return sorted(path.parent.name for path in PROGRAMS.glob("*/about.json"))


@pytest.mark.parametrize("name", programs())
def test_in_every_planted_bug_few_nodes_differ(name: str) -> None:
    """The reference's functions differ from the recorded ones in at most two smallest places."""
    for path in (PROGRAMS / name / "fixed").rglob("*.py"):
        trees = [
            ast.parse(version.read_text(encoding="utf-8"))
            for version in (PROGRAMS / name / path.relative_to(PROGRAMS / name / "fixed"), path)
        ]
        mine, theirs = (list(routines(tree)) for tree in trees)
        assert [statement.name for statement in mine] == [statement.name for statement in theirs]
        for ours, reference in zip(mine[1:], theirs[1:], strict=True):
            assert len(smallest_differences(ours.node, reference.node)) <= 3


# Syntax and grafting


def test_a_routine_has_the_variables_that_python_gives_it() -> None:
    source = """
        def f(a, *b, c=1, **d):
            global g
            import os.path as p, sys
            g = 1
            with open(a) as (h, i):
                j: int = [k for k in b if (l := k)]
            for m, *n in a:
                pass
            try:
                pass
            except ValueError as o:
                del q
            match a:
                case [r, *s] if r:
                    pass
                case {"x": t, **u}:
                    pass
            def v(w):
                x = 1
            class y:
                z = 1
        """
    node = ast.parse(dedent(source)).body[0]
    constants = compile(ast.parse(dedent(source)), "x", "exec").co_consts
    code = next(constant for constant in constants if isinstance(constant, CodeType))
    names = set(code.co_varnames) | set(code.co_cellvars)
    assert bound(node) == {name for name in names if name != "k"}


def test_the_head_of_a_definition_is_what_runs_when_it_is_met() -> None:
    base = "class C:\n    x = 1\n    def f(self, a=1):\n        return a\n"
    heads = {
        change: head(ast.parse(base.replace(*change)).body[0])
        for change in [
            ("", ""),
            ("return a", "return 2"),
            ("a=1", "a=2"),
            ("x = 1", "x = 2"),
            ("class C", "class C(B)"),
        ]
    }
    same = [change for change, head in heads.items() if head == heads["", ""]]
    assert same == [("", ""), ("return a", "return 2")]


def test_grafting_takes_functions_from_the_reference_and_all_else_from_the_recording() -> None:
    recorded = """
        import re
        LIMIT = 3
        def f(a, b=[]):
            return 1
        class C(Base):
            size = 1
            @property
            def p(self):
                return 1
            @p.setter
            def p(self, value):
                self.x = value
        """
    reference = """
        import re, math
        LIMIT = 4
        NEW = 5
        def helper():
            return NEW
        def f(a, b=None):
            return 2
        class C:
            size = 2
            fresh = 3
            @property
            def p(self):
                return 2
            @p.setter
            def p(self, value):
                self.x = -value
        """
    merged = ast.unparse(ast.fix_missing_locations(graft(*(ast.parse(dedent(text)) for text in (recorded, reference)))))
    for kept in ("LIMIT = 3", "def f(a, b=[]):\n    return 2", "class C(Base):", "size = 1", "self.x = -value"):
        assert kept in merged
    for added in ("import math", "NEW = 5", "def helper", "fresh = 3"):
        assert added in merged
    assert "LIMIT = 4" not in merged
    assert merged.count("return 2") == 2


def test_a_program_is_loaded_without_being_started() -> None:
    source = "import os\ndef main():\n    pass\nx = main()\nmain()\nprint(1)\nos.umask(0)\n"
    assert [type(statement).__name__ for statement in loadable(ast.parse(source)).body] == [
        "Import",
        "FunctionDef",
        "Assign",
        "Expr",
    ]


# Values


class NoNames:
    """Only the names of builtins and of this module."""

    user_modules = None

    def named(self, module: str, name: str) -> Any:
        return getattr(sys.modules[module], name)


def rows(*made: dict[str, Any]) -> Rebuilder:
    return Rebuilder(made, NoNames())  # type: ignore[arg-type]


LIST = ["builtins", "list"]


def number(value: int) -> dict[str, Any]:
    return {"k": "int", "v": hex(value)}


def test_sharing_and_cycles_come_back() -> None:
    made = rows(
        {"k": "list", "id": 7, "type": LIST, "items": [1, 1, 0, 2]},
        {"k": "list", "id": 8, "type": LIST, "items": []},
        number(5),
    )
    (whole,) = made.all([0])
    assert isinstance(whole, list)
    assert whole[0] is whole[1]
    assert whole[2] is whole
    assert whole[3] == 5
    comparison = Comparison(made, lambda _module, _name: True)
    assert comparison.same(whole, 0) is True


def test_other_sharing_is_a_difference() -> None:
    made = rows(
        {"k": "tuple", "items": [1, 2]},
        {"k": "list", "id": 8, "type": LIST, "items": []},
        {"k": "list", "id": 9, "type": LIST, "items": []},
    )
    shared: list[Any] = []
    assert Comparison(made, lambda _module, _name: True).same(([], []), 0) is True
    assert Comparison(made, lambda _module, _name: True).same((shared, shared), 0) is False


NOTHING: tuple[int, ...] = ()
GENERATOR = cast("GeneratorType[int, None, None]", (n for n in NOTHING)).__qualname__


@pytest.mark.parametrize(
    ("live", "row", "expected"),
    [
        (1, number(1), True),
        (True, number(1), False),
        (1.0, number(1), False),
        (0.1 + 0.2, {"k": "float", "v": (0.3).hex()}, True),
        (0.3001, {"k": "float", "v": (0.3).hex()}, False),
        (float("nan"), {"k": "float", "v": "nan"}, True),
        (None, {"k": "single", "v": "None"}, True),
        ("None", {"k": "single", "v": "None"}, False),
        ("a", {"k": "str", "v": "a"}, True),
        (b"a", {"k": "bytes", "v": "61"}, True),
        (len, {"k": "function", "module": "builtins", "name": "len"}, True),
        (max, {"k": "function", "module": "builtins", "name": "len"}, False),
        (int, {"k": "type", "type": ["builtins", "int"]}, True),
        ((n for n in NOTHING), {"k": "missing", "why": "", "type": ["builtins", "generator"], "name": "f"}, None),
        ((n for n in NOTHING), {"k": "missing", "why": "", "type": ["builtins", "generator"], "name": GENERATOR}, True),
        ([], {"k": "missing", "why": "", "type": ["builtins", "generator"]}, False),
        (KeyError("a"), {"k": "exception", "type": ["builtins", "KeyError"]}, True),
        (KeyError("a"), {"k": "exception", "type": ["builtins", "ValueError"]}, False),
    ],
)
def test_a_live_value_against_a_description(live: Any, row: dict[str, Any], expected: bool | None) -> None:
    assert Comparison(rows(row), lambda _module, _name: True).same(live, 0) is expected


def test_the_first_difference_is_named() -> None:
    made = rows(
        {"k": "dict", "id": 1, "type": ["builtins", "dict"], "items": [1], "values": [2]},
        {"k": "str", "v": "key"},
        {"k": "tuple", "items": [3, 3]},
        number(1),
    )
    comparison = Comparison(made, lambda _module, _name: True)
    assert comparison.same({"key": (1, 2)}, 0) is False
    assert comparison.differing == ("'key'", 1)


def test_a_stand_in_can_only_be_passed_on() -> None:
    standin = Standin({"k": "missing", "why": "it is a socket", "id": 4})
    assert [standin][0] is standin
    touches: tuple[Callable[[Any], object], ...] = (
        str,
        len,
        bool,
        iter,
        hash,
        lambda value: value.x,
        lambda value: value(),
        lambda value: value + 1,
        lambda value: 1 + value,
    )
    for touch in touches:
        with pytest.raises(CannotAnswer, match="it is a socket"):
            touch(standin)
    made = rows({"k": "missing", "why": "it is a socket", "id": 4})
    assert Comparison(made, lambda _module, _name: True).same(made.value(0), 0) is True


def test_rounding() -> None:
    assert close(1.0, 1.0 + 1e-12)
    assert close(float("inf"), float("inf"))
    assert not close(1.0, 1.0 + 1e-6)
    assert not close(float("nan"), 1.0)


def test_texts_of_live_values() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise ValueError

    assert "whose repr raised ValueError" in text(Odd())
    assert len(text("x" * 10_000)) < 3_000
    loop: list[Any] = [{2, 1}, {"a": 1.0}]
    loop.append(loop)
    assert canonical(loop) == canonical(loop) != canonical(loop[:2])


# The process


def opened(folder: Path, program: str) -> dict[str, Any]:
    return {
        "workspace": str(folder),
        "modules": [["program.py", "program", dedent(program)]],
        "main": "program",
        "reference": None,
        "texts": {},
    }


def calling(routine: str) -> dict[str, Any]:
    return {
        "do": "routine",
        "module": "program",
        "routine": routine,
        "place": None,
        "arguments": [],
        "before": [],
        "after": [],
        "result": 0,
        "raised": None,
        "rows": [number(1)],
    }


PROGRAM = """
    import os, sys
    state = []
    def good():
        state.append(1)
        return len(state)
    def hangs():
        while True:
            pass
    def dies():
        os._exit(1)
    def writes():
        sys.stdout.write("x" * 100)
        os.write(1, b"nonsense on the stream itself")
        print("to stderr", file=sys.stderr)
        return 1
    def reads():
        return len(sys.stdin.read()) + 1
    def deep():
        found = []
        for _ in range(50_000):
            found = [found]
        return found
    """


@pytest.fixture
def sandbox(tmp_path: Path) -> Any:
    with Sandbox(Path(sys.executable), opened(tmp_path, PROGRAM), time_limit=0.5) as made:
        yield made


def test_every_request_finds_the_world_untouched(sandbox: Sandbox) -> None:
    for _ in range(3):
        assert sandbox.ask(calling("good"))["same"] is True


def test_the_sandbox_process_survives_the_code_that_it_runs(sandbox: Sandbox) -> None:
    began = time.monotonic()
    assert sandbox.ask(calling("hangs")) == {"late": True} or "late" in sandbox.ask(calling("hangs"))
    assert time.monotonic() - began < 30
    assert "cannot" in sandbox.ask(calling("dies")) or "late" in sandbox.ask(calling("dies"))
    assert sandbox.ask(calling("writes"))["output"] == "x" * 100
    assert sandbox.ask(calling("reads"))["same"] is True
    assert sandbox.ask(calling("deep"))["same"] is False
    assert "cannot" in sandbox.ask(calling("nothing"))
    assert sandbox.ask(calling("good"))["same"] is True


def test_modules_are_found_by_their_recorded_names(tmp_path: Path) -> None:
    modules = [
        [
            "src/shop/cart.py",
            "shop.cart",
            "from . import tax\nfrom .tax import rate\ndef f():\n    return rate() + tax.EXTRA\n",
        ],
        ["src/shop/tax.py", "shop.tax", "EXTRA = 0\ndef rate():\n    return helper()\nfrom shop.more import helper\n"],
    ]
    (tmp_path / "src" / "shop").mkdir(parents=True)
    (tmp_path / "src" / "shop" / "more.py").write_text("def helper():\n    return 1\n", encoding="utf-8")
    opening = {**opened(tmp_path, ""), "modules": modules}
    with Sandbox(Path(sys.executable), opening) as made:
        assert made.ask({**calling("f"), "module": "shop.cart"})["same"] is True


def test_the_error_of_a_module_that_cannot_be_loaded_is_returned(tmp_path: Path) -> None:
    with Sandbox(Path(sys.executable), opened(tmp_path, "1 / 0\ndef good():\n    return 1\n")) as made:
        assert "ZeroDivisionError" in made.ask(calling("good"))["cannot"]


def test_a_file_that_is_not_an_interpreter(tmp_path: Path) -> None:
    with (
        Sandbox(tmp_path / "python", opened(tmp_path, PROGRAM)) as made,
        pytest.raises(OracleError, match="cannot be run"),
    ):
        made.ask(calling("good"))
