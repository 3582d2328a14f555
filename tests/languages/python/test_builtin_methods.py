"""Methods made in C and partial functions: shown with their receiver, and rebuilt for a reference."""

from pathlib import Path

import pytest

from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from tests.languages.python.recorded import node_of, record
from tests.languages.python.versions import decisive, versions

PROGRAM = """
    import re

    class Names(dict):
        def __getattribute__(self, name):
            raise RuntimeError("nobody asks")

    def use(function, *given):
        return function(*given)

    items, table = [1], {1: 2}
    use(re.compile("a+", re.I).match, "aab")
    use(re.compile("b").sub, "c", "abc")
    use(items.append, 2)
    use(items.__len__)
    use(str.upper, "a")
    use(dict.get, table, 1)
    use(dict.fromkeys, [1])
    use(int.from_bytes, b"a", "big")
    use(object.__repr__ and list.sort, items)
    use(dict.get.__get__(Names(a=3)), "a")
    use(len, items)
    use(", ".join, ["a", "b"])
    use((5).bit_length)
    use([].extend, range(100))
    use(list(range(100)).count, 3)
"""

SHOWN = {
    "re.compile('a+', re.IGNORECASE).match": "aab",
    "re.compile('b').sub": "c",
    "[1].append": "2",
    "[1, 2].__len__": "",
    "str.upper": "a",
    "dict.get": "1: 2",
    "dict.fromkeys": "1",
    "int.from_bytes": "big",
    "list.sort": "1, 2",
    "Names({'a': 3}).get": "a",
    "<built-in function len>": "1, 2",
    "', '.join": "'a', 'b'",
    "(5).bit_length": "",
    "[].extend": "range",
    "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9,...96, 97, 98, 99].count": "3",
}


def test_a_method_implemented_in_c_is_shown_with_its_receiver(tmp_path: Path) -> None:
    subject = record(tmp_path, PROGRAM).subject()
    texts = [subject.behaviour(node).text for node in range(len(subject.tree))]
    for method, arguments in SHOWN.items():
        (text,) = [text for text in texts if text.startswith(f"use({method}, ")]
        assert arguments in text


def test_changes_by_a_method_are_shown(tmp_path: Path) -> None:
    subject = record(tmp_path, PROGRAM).subject()
    after = subject.behaviour(node_of(subject, "use([1].append")).after.bindings
    assert [(binding.name, binding.value.text) for binding in after] == [("function", "[1, 2].append")]


@pytest.mark.parametrize(
    "arguments",
    ["re.compile('a+').findall, 'aabba'", "[3, 1].count, 1", "str.upper, 'a'", "dict.fromkeys, [1]", "{1: 2}.get, 1"],
)
def test_a_reference_can_be_called_with_methods_implemented_in_c(arguments: str, tmp_path: Path) -> None:
    wrong = f"import re\ndef use(function, *given):\n    return [function(*given)]\nuse({arguments})\n"
    right = wrong.replace("[function(*given)]", "[function(*given), 1]")
    for name, text, judgement in (("same", wrong + "\n", Judgement.YES), ("other", right, Judgement.NO)):
        (tmp_path / name).mkdir()
        with versions(tmp_path / name, wrong, text) as case:
            opinion = decisive(case.about("use("))
            assert opinion is not None
            assert opinion.judgement is judgement


def test_a_returned_method_is_compared_by_its_receiver(tmp_path: Path) -> None:
    wrong = "import re\ndef made(text):\n    return re.compile(text).match, [text].index, str.lower\nmade('a')\n"
    for name, change in {
        "0": ("compile(text)", "compile('b')"),
        "1": ("[text]", "[1]"),
        "2": ("lower", "upper"),
    }.items():
        (tmp_path / name).mkdir()
        with versions(tmp_path / name, wrong, wrong.replace(*change)) as case:
            opinion = decisive(case.about("made("))
            assert opinion is not None
            assert (opinion.judgement, opinion.mark) == (Judgement.NO, Mark(MarkOf.RESULT, (int(name),)))


PARTIAL = """
    import functools

    class Mine(functools.partial):
        pass

    def add(a, b=1, c=0):
        return a + b + c

    def use(function, *given):
        return function(*given)

    def made(number):
        found = functools.partial(add, number, c=number * 2)
        found.note = [number]
        return found

    use(functools.partial(int, base=2), "101")
    use(Mine(add, 1, 2))
    use(functools.partial(made(3), 4))
    use(functools.partial([].append, 6))
"""


def test_a_partial_function_is_shown_with_its_arguments(tmp_path: Path) -> None:
    subject = record(tmp_path, PARTIAL).subject()
    for text in (
        "use(partial(<class 'int'>, base=2), ('101',)) = 5",
        "use(Mine(<function add>, 1, 2), ()) = 3",
        "made(3) = partial(<function add>, 3, c=6)",
        "use(partial([].append, 6), ()): function.func: [].append -> [6].append",
    ):
        assert node_of(subject, text)


@pytest.mark.parametrize(
    ("change", "call", "judgement"),
    [
        (("a + b + c", "c + b + a"), "use(partial(partial(<function add>", Judgement.YES),
        (("a + b + c", "a + b - c"), "use(partial(partial(<function add>", Judgement.NO),
        (("a + b + c", "a + b - c"), "use(Mine(", Judgement.YES),
        (("number * 2", "number + number"), "made(", Judgement.YES),
        (("number * 2", "number * 3"), "made(", Judgement.NO),
        (("[number]", "[number, 1]"), "made(", Judgement.NO),
        (("add, number", "use, number"), "made(", Judgement.NO),
    ],
)
def test_a_reference_can_be_called_with_partial_functions(
    change: tuple[str, str], call: str, judgement: Judgement, tmp_path: Path
) -> None:
    with versions(tmp_path, PARTIAL, PARTIAL.replace(*change)) as case:
        opinion = decisive(case.about(call))
        assert opinion is not None
        assert opinion.judgement is judgement
