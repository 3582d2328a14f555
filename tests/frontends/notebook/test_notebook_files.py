"""`adebug run FILE.ipynb`: cells run in their order, each as a file of its own, with magics if IPython is there."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from adebug_lsp.languages.python.recorder.run.notebook_cells import cells_of, python_of
from tests.frontends.notebook.kernels import SHOP, notebook_file, run


def asked(folder: Path, cells: Sequence[str], *answers: str) -> str:
    """The dialogue about a notebook file."""
    (folder / "shop.py").write_text(SHOP, encoding="utf-8")
    (folder / "answers").write_text("\n".join(answers), encoding="utf-8")
    notebook_file(folder / "bill.ipynb", cells)
    command = [sys.executable, "-m", "adebug_lsp", "run", "--answers", "answers", "bill.ipynb"]
    return run(command, folder)


def test_the_cell_that_raised_is_followed_to_the_call_that_made_the_value(tmp_path: Path) -> None:
    text = asked(tmp_path, ["from shop import price", "bill = price('pen', 3)", "assert bill == 6"], "no", "no", "yes")
    assert "1. price('pen', 3) = 5?" in text
    assert "Bug found after 3 answers, in shop.price" in text


def test_a_wrong_cell_is_the_verdict(tmp_path: Path) -> None:
    text = asked(tmp_path, ["wanted = [1, 2]", "made = [1, 3]", "assert made == wanted"], "yes", "no", "no")
    assert "cell In[2]" in text
    assert "Bug found" in text
    assert "In[2]:1:" in text


def test_magics_are_executed_and_commands_of_wrapping_magics_recorded(tmp_path: Path) -> None:
    cells = [
        "!echo from the shell",
        "%%time\nfrom shop import price\nplace = %pwd",
        "assert price('pen', 3) == 6, place",
    ]
    text = asked(tmp_path, cells, "q")
    assert "from the shell" in text
    assert f"AssertionError: {tmp_path.resolve()}" in text
    assert "1. price('pen', 3) = 5?" in text


def test_a_cell_may_await(tmp_path: Path) -> None:
    cells = [
        "import asyncio\nasync def rate(x):\n    await asyncio.sleep(0)\n    return x + 1",
        "got = await rate(1)",
        "assert got == 3 and await rate(2) == 3, got",
    ]
    text = asked(tmp_path, cells, "no")
    assert "rate(1) = 2?" in text


def test_numbers_are_those_that_the_notebook_shows_if_it_ran_in_order(tmp_path: Path) -> None:
    for counts, names in (
        ([2, 5], ["In[2]", "In[5]"]),
        ([5, 2], ["In[1]", "In[2]"]),
        ([None, None], ["In[1]", "In[2]"]),
    ):
        file = notebook_file(tmp_path / "n.ipynb", ["1", "2"], execution_count=counts.__getitem__)
        assert [cell.name for cell in cells_of(file.read_bytes())] == names


def test_an_exception_that_the_notebook_allows_does_not_end_it(tmp_path: Path) -> None:
    def metadata(number: int) -> dict[str, list[str]]:
        return {"tags": ["raises-exception"] if number == 0 else []}

    notebook_file(tmp_path / "n.ipynb", ["1 / 0", "print('went on')"], metadata=metadata)
    command = [sys.executable, "-m", "adebug_lsp", "record", "-o", "out.adebug", "n.ipynb"]
    text = run(command, tmp_path)
    assert "ZeroDivisionError" in text
    assert "notebook_cells" not in text
    assert text.startswith("went on\n")


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%load_ext adebug_lsp\nx = 1", "# %load_ext adebug_lsp\nx = 1"),
        ("%%adebug --prompt\nx = 1", "# %%adebug --prompt\nx = 1"),
        ("x = 7 %load", "x = 7 %load"),
        ("%adebug", "# %adebug"),
    ],
)
def test_magics_of_adebug_are_comments(cell: str, python: str) -> None:
    assert python_of(cell) == python


def test_a_file_that_is_no_notebook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "n.ipynb").write_text("[]", encoding="utf-8")
    command = [sys.executable, "-m", "adebug_lsp", "run", "n.ipynb"]
    assert "this is not a notebook" in run(command, tmp_path)


def test_a_function_shows_what_other_cells_defined(tmp_path: Path) -> None:
    """All cells share one namespace: values are followed from cell to cell, and shown as globals and inputs."""
    cells = ["RATE = 3", "def f(x):\n    return x * RATE", "data = [1]\ndata.append(9)"]
    cells += ["y = f(data[1])", "assert y == 36"]
    text = asked(tmp_path, cells, "yes", "no", "no")
    assert "1. f(9) = 27?" in text
    assert "  given     RATE = 3\n" in text
    assert "cell In[4]?    at In[4]:1:1" in text
    assert "  given     data = [1, 9]\n  changed   y = 27\n" in text
