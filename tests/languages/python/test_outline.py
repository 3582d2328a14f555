"""Outline of a source: runnable pieces, every expression, and the same result after any sequence of edits."""

import ast
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.editor.outline import PythonOutline, outline
from adebug_lsp.model.source import Position, Range

FILE = Path("/work/test_shop.py")
TEXT = """\
import shop


class TestCart:
    def test_total(self):
        assert shop.total() == 3

    def helper(self): return 1


@decorated
def test_name(fixture):
    pass


def build(size=3, *, deep=False):
    return "ä𝒳" + shop.name(size)


def needs(argument):
    return argument; x = 1


if __name__ == "__main__":
    build()
"""


def read(text: str, last: PythonOutline | None = None) -> PythonOutline:
    pieces = outline(FILE, text, last)
    assert pieces is not None
    return pieces


def _syntax(read_outline: PythonOutline) -> list[str]:
    """All statements at their places, with those of a class in place."""
    shown, line = [], 0
    for chunk in read_outline.chunks:
        for statement in chunk.statements:
            parts = statement.body if isinstance(statement, ast.ClassDef) and chunk.owner else [statement]
            shown += [f"{line + part.lineno} {ast.dump(part)}" for part in parts]
        line += len(chunk.lines)
    return shown


def test_tests_functions_without_arguments_and_the_main_program_can_be_run() -> None:
    runnable = [(p.kind, p.name, p.tests, p.call) for p in read(TEXT).pieces if p.runnable]
    assert runnable == [
        ("routine", "TestCart.test_total", (f"{FILE}::TestCart::test_total",), None),
        ("routine", "test_name", (f"{FILE}::test_name",), None),
        ("routine", "build", None, "build()"),
        ("main", "", None, None),
    ]


def test_a_test_outside_of_a_test_file_is_an_ordinary_function() -> None:
    pieces = outline(Path("shop.py"), "def test_it():\n    pass\n", None)
    assert pieces is not None
    assert [(p.tests, p.call) for p in pieces.pieces] == [(None, "test_it()")]


def test_a_head_is_the_range_of_the_name() -> None:
    lines = TEXT.split("\n")
    heads = [(p.name, lines[p.head.start.line][p.head.start.column : p.head.end.column]) for p in read(TEXT).pieces]
    assert all(name.endswith(text) for name, text in heads if name)


def test_the_smallest_expression_is_found_in_code_points() -> None:
    line = next(i for i, text in enumerate(TEXT.split("\n")) if "ä" in text)
    column = TEXT.split("\n")[line].index("size")
    expression = read(TEXT).expression_at(Position(line, column + 1))
    assert expression == Range(Position(line, column), Position(line, column + 4))


def test_a_text_with_errors_has_no_outline() -> None:
    assert outline(FILE, TEXT.replace("return argument", "return ("), read(TEXT)) is None


def test_an_else_joins_the_statement_before_it() -> None:
    text = "a = 1\nif a:\n    b = 2\nc = 3\n"
    changed = text.replace("c = 3", "else:\n    def d(): pass\nc = 3")
    assert _syntax(read(changed, read(text))) == _syntax(read(changed))


def test_line_ends_of_all_kinds_are_line_ends() -> None:
    for end in ("\r\n", "\r"):
        assert [p.range for p in read(TEXT.replace("\n", end)).pieces] == [p.range for p in read(TEXT).pieces]


def test_an_edit_in_a_method_parses_that_method_only() -> None:
    first = read(TEXT)
    text = TEXT.replace("def helper(self): return 1", "def test_more(self):\n        return (1,\n2)\n")
    edited = read(text, first)
    assert [p.name for p in edited.pieces if p.tests] == ["TestCart.test_total", "TestCart.test_more", "test_name"]
    assert len(set(edited.chunks) - set(first.chunks)) == 1
    assert [p.range for p in edited.pieces] == [p.range for p in read(text).pieces]


LINES = st.sampled_from(
    ["a = 1", "def f():", "    x = [1,", "    2]", "    return 'ä'", "", "# c", "@d", "class C:", "    def m(self):",
     "        return 1", "    @d", "    y = 2", "    x: int; z = 1",
     "        '''", "        '''", "if a:", "else:", "    pass", "b = (", ")", "x = 1; y = 2", "s = '''", "'''", "\\"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(LINES, max_size=14), st.integers(0, 14), st.integers(0, 4), st.lists(LINES, max_size=4))
def test_an_edited_text_has_the_outline_of_a_new_one(
    lines: list[str], start: int, removed: int, new: list[str]
) -> None:
    first = outline(FILE, "\n".join(lines), None)
    text = "\n".join([*lines[:start], *new, *lines[start + removed :]])
    edited, fresh = outline(FILE, text, first), outline(FILE, text, None)
    if edited is not None:
        ast.parse(text)  # nothing is taken that does not parse as a whole
        assert fresh is not None
        assert [(p.name, p.range) for p in edited.pieces] == [(p.name, p.range) for p in fresh.pieces]
        assert [line for c in edited.chunks for line in c.lines] == [line for c in fresh.chunks for line in c.lines]
        assert _syntax(edited) == _syntax(fresh)
