"""Instrumented code behaves like the original: the same operations in the same order, the same results and tracebacks.

Random programs run bare and rewritten in this process, at both levels. Programs that were rewritten wrongly on purpose
show that a difference is noticed.
"""

import ast
import cProfile
import linecache
import sys
import traceback
import types
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.recorder.analysis.static_map import ModuleMap
from adebug_lsp.languages.python.recorder.contract import FIRST_OF_MODULES
from adebug_lsp.languages.python.recorder.instrument.inline_temporaries import nested
from adebug_lsp.languages.python.recorder.instrument.instrumenter import Instrumenter, rewritten
from adebug_lsp.languages.python.recorder.observe.images import Marker
from adebug_lsp.languages.python.recorder.tape.tape import Recorder
from tests.languages.python.random_programs import PRELUDE, program, programs

FILE = "<random program>"
PRELUDE_CODE = compile(PRELUDE, "<prelude>", "exec")
SLOW = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
FIXED_ARITIES = {**dict.fromkeys(range(1, 7), 2), 7: 3, 8: 2, 9: 3, 10: 2, 11: 3, 12: 2, 13: 1}
EXPLODING = st.just(0) | st.integers(1, 60)
"""At which operation a thing explodes; at 0 none does."""
Compile = Callable[[str], types.CodeType]


@frozen
class Outcome:
    """All that can be seen of a run."""

    log: tuple[Any, ...]
    variables: dict[str, Any]
    error: str


def bare(source: str) -> types.CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(source, FILE, "exec", dont_inherit=True)


def outcome(source: str, until: int, compiled: Compile) -> Outcome:
    """Run a program whose things explode at the given operation."""
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    space: dict[str, Any] = {"__name__": "program"}
    exec(PRELUDE_CODE, space)
    space["Thing"].until = until
    code, error = compiled(source), ""
    try:
        exec(code, space)
    except BaseException as caught:
        error = _told(caught)
    names = [name for name in space if name in {*"abcd", "result"}]
    return Outcome(tuple(space["Thing"].log), {name: space["name"](space[name]) for name in names}, error)


def _told(error: BaseException) -> str:
    """The traceback as it would be printed, without the frame of this file and without carets."""
    trace = error.__traceback__
    assert trace is not None
    lines = "".join(traceback.format_exception(type(error), error, trace.tb_next)).splitlines()
    return "\n".join(line for line in lines if line.strip("^~ "))


class Rewritten:
    """Rewrites with the recorder's own classes, and keeps the tape."""

    def __init__(self, level: str) -> None:
        self.recorder = Recorder()
        self.maps: list[dict[str, Any]] = []
        self._instrumenter = Instrumenter(
            self.recorder, full=level == "full", is_user_code=lambda _name: False, announce=self.maps.append, cache=None
        )

    def __call__(self, source: str) -> types.CodeType:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._instrumenter.code(source, FILE, "program.py", "program")

    def check_tape(self) -> None:
        """Every marker is followed by as many values as its map says."""
        arities = dict(FIXED_ARITIES)
        for module_map in self.maps:
            arities |= {module_map["first"] + i: len(marker["slots"]) for i, marker in enumerate(module_map["markers"])}
        tape = self.recorder.tape.words()
        places = [place for place, word in enumerate(tape) if type(word) is Marker]
        for place, following in zip(places, [*places[1:], len(tape)], strict=True):
            number = tape[place].number
            assert following - place - 1 == arities[number], number
        assert not tape or any(tape[place].number >= FIRST_OF_MODULES for place in places)


@SLOW
@given(source=programs(), until=EXPLODING)
def test_rewritten_code_does_the_same(source: str, until: int) -> None:
    expected = outcome(source, until, bare)
    for level in ("full", "calls"):
        rewritten = Rewritten(level)
        assert outcome(source, until, rewritten) == expected, level
        rewritten.check_tape()


ELSE = """
def inner(found):
    for one in found:
        pass
    else:
        for other in found:
            pass
        t(2)

a = t(1)
for b in a:
    pass
else:
    t(3)
inner(t(4))
"""
CALLS = """
def run(a, b):
    a.m(b.x, [t(1), (t(2) + t(3)).y], k=a[b.z])(t(4) < t(5), *b.w)
    return a.m(t(6) if b else t(7), t(8))

def later(a):
    a.m(t(1).x, missing, t(2))

a, b = t(10), t(11)
run(a, b)
later(a)
"""


@pytest.mark.parametrize("source", [ELSE, CALLS], ids=["else", "calls"])
@pytest.mark.parametrize("until", range(40))
def test_rare_constructs_behave_the_same(source: str, until: int) -> None:
    for level in ("full", "calls"):
        rewritten = Rewritten(level)
        assert outcome(source, until, rewritten) == outcome(source, until, bare)
        rewritten.check_tape()


def test_a_call_keeps_its_arguments_if_their_order_is_preserved() -> None:
    """A method then needs no object of its own, as in the program itself."""
    tree = ast.parse("o(t, u)", mode="eval").body
    values = {name: ast.parse(value, mode="eval").body for name, value in (("@f", "o.m"), ("@t", "a.x"), ("@u", "b"))}
    made: list[ast.stmt] = [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in values.items()]
    assert isinstance(tree, ast.Call)
    for name, argument in zip(("@f", "@t", "@u"), (tree.func, *tree.args), strict=True):
        assert isinstance(argument, ast.Name)
        argument.id = name
    assert not nested(tree, [made[0], made[2], made[1]])
    assert not nested(tree, [*made, ast.Pass()])
    assert nested(tree, made)
    assert ast.unparse(tree) == "o.m((@t := a.x), (@u := b))"


class _Wrong(ast.NodeTransformer):
    """Rewrites as `Rewritten` should not."""

    def __call__(self, source: str) -> types.CodeType:
        tree = self.visit(ast.parse(source, FILE))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(ast.fix_missing_locations(tree), FILE, "exec", dont_inherit=True)


class OperandsSwapped(_Wrong):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return ast.copy_location(ast.BinOp(node.right, node.op, node.left), node)


class ConditionsTwice(_Wrong):
    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.test = ast.copy_location(ast.BoolOp(ast.And(), [node.test, node.test]), node.test)
        return node


class AugmentedAsPlain(_Wrong):
    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        return ast.copy_location(ast.Assign([node.target], ast.BinOp(read, node.op, node.value)), node)


class ElseOfLoopsAlways(_Wrong):
    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        after, node.orelse = node.orelse, []
        return [node, *after]


class FinallyForgotten(_Wrong):
    def visit_Try(self, node: ast.Try) -> Any:
        self.generic_visit(node)
        node.finalbody = []
        return node if node.handlers else node.body


class OtherLines(_Wrong):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        node.lineno, node.end_lineno = node.lineno + 1, (node.end_lineno or 0) + 1
        return node


@pytest.mark.parametrize("wrong", _Wrong.__subclasses__(), ids=lambda wrong: wrong.__name__)
def test_a_wrong_rewrite_is_noticed(wrong: type[_Wrong]) -> None:
    """In some program; they are not drawn by Hypothesis, which takes longer to draw one than it takes to run it."""
    for seed in range(2000):
        random = Random(seed)
        source, until = program(random.randrange), random.randrange(61)
        if outcome(source, until, wrong()) != outcome(source, until, bare):
            return
    pytest.fail("no program shows the difference")


FORESEEN = [
    *("1 - 1", "-1 + 1", "[t(1)]", "(t(1), 2)", "{t(1)}", "{t(1): 2}", "f'{t(1)}'", "lambda: t(1)", "'a' 'b'", "()[:]"),
    *("[t(y) for y in (1, 2)]", "{t(y) for y in (1, 2)}", "{t(y): y for y in (1, 2)}", "list(t(y) for y in (1, 2))"),
    *("t(1) and [2]", "[t(1)] if t(2) else (3,)", "not 1", "1 < 2", "[1, 2][0]", "'%s-%s' % (t(1), 2)", "'%%'"),
]


@pytest.mark.parametrize("level", ["full", "calls"])
@pytest.mark.parametrize("value", FORESEEN)
def test_recording_code_causes_no_compiler_warnings(level: str, value: str) -> None:
    """Not even where it knows what is recorded, or of which type that is."""
    source = f"a = (lambda: {value})()\nb = [({value}) for c in (1, 2)]\ndef g(d={value}):\n    return d\nd = g()"
    recorder = Recorder()
    instrumenter = Instrumenter(
        recorder, full=level == "full", is_user_code=lambda _name: False, announce=lambda _map: None, cache=None
    )

    def strictly(source: str) -> types.CodeType:
        tree = ast.parse(source)
        ready = instrumenter.tree(tree, source, "program.py", "program")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return ready(compile(tree, FILE, "exec", dont_inherit=True))

    assert outcome(source, -1, strictly) == outcome(source, -1, bare)


NESTED = [
    "def f(a):\n if a:\n  t(0)\n" + "".join(f" elif a == {number}:\n  t({number})\n" for number in range(1, 310)),
    "a = " + "".join(f"{number} if t({number}) else " for number in range(470)) + "0",
    f"a = t{'.plus(1)' * 185}",
    f"a = {' + '.join(['t(1)'] * 185)}",
    f"a = {' and '.join(['t(1)'] * 950)}",
]
"""Code that nests deeply; a program imports it within the usual recursion limit."""


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("source", NESTED, ids=["elif", "conditional", "methods", "sum", "and"])
def test_deeply_nested_code_is_rewritten(source: str, full: bool) -> None:
    def rewrite() -> None:
        module = ModuleMap("program.py", "program", source, 0)
        rewritten(ast.parse(source), module, full=full, keep_asserts=False, is_user_code=lambda _name: True)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    try:
        with ThreadPoolExecutor(1) as pool:  # a thread begins with an empty stack
            pool.submit(rewrite).result()
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("around", ["def f(a):", "for a in b:", "while a:"])
def test_the_work_of_rewriting_grows_with_the_code_and_not_with_its_depth(around: str, full: bool) -> None:
    def calls(alternatives: int) -> int:
        """The function calls that it takes to rewrite a chain of `elif`, of which each is inside the one before."""
        chain = "".join(f" elif t(u({number})):\n  x = t(u({number}))\n" for number in range(alternatives))
        source = f"{around}\n if a:\n  t(0)\n{chain}"
        module, tree = ModuleMap("program.py", "program", source, 0), ast.parse(source)
        profile = cProfile.Profile(builtins=False)
        profile.runcall(rewritten, tree, module, full=full, keep_asserts=False, is_user_code=lambda _name: True)
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(80) < 2.1 * calls(40)
