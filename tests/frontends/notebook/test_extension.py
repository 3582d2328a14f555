"""The extension in real kernels and in plain IPython: cells are recorded, asked about, and the verdict is shown."""

import os
from pathlib import Path

import pytest

from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.notebook.page import as_html
from tests.frontends.notebook.kernels import SHOP, executed, html_of, ipython, shown, typed_into_kernel

GOLDEN = Path(__file__).parent / "notebook.expected"
LOAD = "%load_ext adebug_lsp\nfrom shop import price"
TOTAL = """orders = [("pen", 3), ("book", 1)]
def total(orders):
    result = 0
    for item, count in orders:
        result += price(item, count)
    return result"""
CHECK = "# raises\nassert total(orders) == 18"
ANSWERS = "# of a person\nno\nno\nno\nno\nyes\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    work = tmp_path / "work"
    work.mkdir()
    (work / "shop.py").write_text(SHOP, encoding="utf-8")
    (work / "answers.txt").write_text(ANSWERS, encoding="utf-8")
    return work


def test_a_notebook_finds_its_bug(folder: Path) -> None:
    """The dialogue of `%adebug` after an exception, and of `%%adebug` on a cell that shows a wrong value.

    ADEBUG_ACCEPT=1 writes it as it is now.
    """
    cells = [LOAD, TOTAL, CHECK, "%adebug --answers answers.txt", "%%adebug --answers answers.txt\ntotal(orders)"]
    notebook = executed(folder, cells)
    text = "\n".join(f"In: {cell.source}\n{shown(cell)}\n" for cell in notebook)
    if os.environ.get("ADEBUG_ACCEPT"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
    verdict = html_of(notebook[3])[-1]
    assert "<span style='font-weight:bold;text-decoration:underline;color:#c62828'>" in verdict
    assert not list((folder / ".adebug").glob("*.sqlite3")), "with --answers nothing is stored"


def test_buttons_answer_and_the_kernel_stays_free(folder: Path) -> None:
    magics = "get_ipython().magics_manager.registry['AdebugMagics']"
    press = "buttons.buttons['{}'].click()"
    cells = [LOAD, TOTAL, CHECK, "%adebug", f"buttons = {magics}.buttons\n1 + 1"]
    cells += [*[press.format("no")] * 3, "buttons.line.value = 'no'", press.format("yes")]
    visible = "print(*(word for word, button in buttons.buttons.items() if button.layout.display != 'none'))"
    notebook = executed(folder, [*cells, visible, press.format("undo"), visible])
    assert shown(notebook[4]) == "2"
    page = shown(notebook[3])
    assert "Bug found" not in page, "the page was updated by later cells, and `undo` took the last answer back"
    assert shown(notebook[10]) == "undo zoom reject"
    assert shown(notebook[12]) == "yes no unknown inadmissible trust undo redo why zoom"


def test_a_line_of_text_answers_where_there_are_no_buttons(folder: Path) -> None:
    hide = "import sys; sys.modules['ipywidgets'] = None"
    answers = ["no", "no", "nonsense", "no", "no", "yes", ""]
    text = typed_into_kernel(folder, [hide, LOAD, TOTAL, CHECK, "%adebug"], answers)
    assert "(? lists all answers, q stops): nonsense" in text
    assert "adebug: 'nonsense' is not an answer" in text
    assert "Bug found in shop.price" in text


def test_a_front_end_without_input_gets_the_command(folder: Path) -> None:
    notebook = executed(folder, [LOAD, TOTAL, CHECK, "%adebug --prompt"])
    assert "adebug: to find the bug: adebug open " in shown(notebook[3])


def test_plain_ipython(folder: Path) -> None:
    lines = ["%load_ext adebug_lsp", "from shop import price", "assert price('pen', 3) == 6", "%adebug"]
    lines += ["no", "no", "yes"]
    text = ipython(folder, [*lines, "", "%adebug --bogus", "%adebug --answers nothing.txt"])
    assert "price('pen', 3) = 5?\n  called by module notebook: assert price('pen', 3) == 6    at In[3]:1:1\n" in text
    assert "Bug found in shop.price" in text
    assert "unrecognized arguments: --bogus; %adebug? lists the options" in text
    assert "nothing.txt: cannot be read" in text


def test_nothing_is_asked_before_a_cell_was_executed(folder: Path) -> None:
    text = ipython(folder, ["%load_ext adebug_lsp", "%adebug"])
    assert "no cell has been executed yet" in text


def test_the_state_of_the_kernel_stays_as_it_is(folder: Path) -> None:
    cells = ["%load_ext adebug_lsp\nseen = []", "seen.append(1)\nlen(seen)"]
    notebook = executed(folder, [*cells, "%%adebug --prompt\nseen.append(2)\nlen(seen)", "seen"])
    assert shown(notebook[2]).startswith("2\n")
    assert shown(notebook[3]) == "[1, 2]"


def test_a_cell_that_does_something_else_when_repeated_is_said(folder: Path) -> None:
    once = "# raises\nfrom pathlib import Path\nnew = not Path('mark').exists()\nPath('mark').touch()\nassert not new"
    notebook = executed(folder, ["%load_ext adebug_lsp", once, "%adebug --prompt"])
    changed = "it raised AssertionError before; what a cell read, or its state, was not the same again"
    assert changed in shown(notebook[2])


def test_the_first_folder_and_environment_are_used_again(folder: Path) -> None:
    (folder / "deeper").mkdir()
    cells = ["%load_ext adebug_lsp\nimport os\nrate = os.environ.get('RATE', '7')", "%cd -q deeper"]
    check = "# raises\nassert os.path.basename(os.getcwd()) == 'deeper' and rate == '8', rate"
    notebook = executed(folder, [*cells, "os.environ['RATE'] = '8'", check, "%adebug --prompt"])
    assert "adebug: the program raised AssertionError: 7\n" in shown(notebook[4])


def test_a_page_shows_markup_of_the_program_as_text() -> None:
    style = Style(colour=True)
    page = as_html([style.wrong("<script>"), style.faint("a & b")])
    assert "<script>" not in page
    assert "&lt;script&gt;</span>\n<span style='opacity:.55'>a &amp; b</span>" in page
