"""What the documentation says is run: code blocks, links, and names."""

import keyword
import re
from pathlib import Path
from types import ModuleType

import pytest
from attrs import fields

from adebug_lsp.frontends.dap.live import launch
from adebug_lsp.frontends.dap.protocol import generate
from adebug_lsp.frontends.lsp import commands, settings
from adebug_lsp.languages.python.questions import fragment
from adebug_lsp.languages.python.reading import recorded_values as values
from adebug_lsp.languages.python.reading.heap import object_states
from adebug_lsp.languages.python.reading.structure import run_structure
from adebug_lsp.languages.python.recorder.observe import images as pictures
from adebug_lsp.languages.python.recorder.observe import object_inspector as spill_look
from adebug_lsp.languages.python.recorder.run import pytest_events, recording_process
from adebug_lsp.languages.python.recorder.tape import threads
from adebug_lsp.languages.python.recorder.tape import writer as spill
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.recording import segments
from adebug_lsp.search.registry import names
from tests.languages.python import recorded
from tests.support import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def test_the_library_page_runs() -> None:
    text = (ROOT / "docs/reference/library.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 3
    exec("\n".join(blocks), {"__name__": "library_page"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert not [link for link in links if not (page.parent / link).exists()]


def test_every_picture_is_shown_somewhere_and_is_small() -> None:
    shown = {
        (page.parent / link).resolve()
        for page in PAGES
        for link in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    pictures = set((ROOT / "docs/images").iterdir())
    assert shown == pictures
    assert not [picture.name for picture in pictures if picture.stat().st_size > 200_000]


def test_every_strategy_is_described() -> None:
    text = (ROOT / "docs/reference/strategies.md").read_text(encoding="utf-8")
    assert not [name for name in names() if f"| `{name}`" not in text]


@pytest.mark.parametrize("page", ["tree-json", "oracle-command"])
def test_every_kind_is_listed(page: str) -> None:
    text = (ROOT / f"docs/reference/{page}.md").read_text(encoding="utf-8")
    assert not [kind.label for kind in NodeKind if f"`{kind.label}`" not in text]


def test_every_dependency_has_its_reason() -> None:
    text = (ROOT / "docs/DEPENDENCIES.md").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    packages = re.findall(r'^    "([a-z]+)>=', project, re.MULTILINE)
    assert len(packages) >= 7
    assert not [package for package in packages if f"| {package} |" not in text]


SCHEMA = generate.load()["definitions"]


def documented(page: str, section: str) -> set[str]:
    """The names in the first column of the first table of a section."""
    text = (ROOT / f"docs/reference/{page}.md").read_text(encoding="utf-8")
    table = text.partition(f"\n## {section}\n")[2].partition("|---|")[2].partition("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines()[1:]]
    return {name for cell in cells for name in re.findall(r"`([\w.]+)`", cell)}


FIELDS = {
    ("json-protocol", "`question`"): {*SCHEMA["Question"]["properties"], "why", "transformations"} - {"type", "node"},
    ("json-protocol", "`verdict`"): {*SCHEMA["Verdict"]["properties"]} - {"type"},
    ("json-protocol", "An answer"): {*SCHEMA["AnswerArguments"]["properties"]} - {"node", "frameId"},
    ("dap", "The launch configuration"): {*launch.FIELDS},
    ("lsp", "Commands"): {value for value in vars(commands).values() if re.match(r"adebug\.\w+$", str(value))},
    ("lsp", "Settings"): {field.name for field in fields(settings.Settings)},
}
"""What there is, by the page and section that describe it; lines of JSON have a type, too, and DAP requests a node."""


@pytest.mark.parametrize("where", FIELDS, ids=" ".join)
def test_documented_fields_are_those_that_exist(where: tuple[str, str]) -> None:
    assert documented(*where) == FIELDS[where]


def test_fields_that_a_fragment_is_described_with_exist() -> None:
    """What another process is given (`Fragment`) is explained by names of its fields."""
    text = Path(fragment.__file__).read_text(encoding="utf-8")
    names = set(re.findall(r"`([a-z_]+)`", text))
    words = {"routine", "loop", "iteration", "range", "statement", "expression", "ast", "__main__"}
    assert names - words - set(keyword.kwlist) <= {field.name for field in fields(fragment.Fragment)}


RECORDING = (ROOT / "docs/reference/recording.md").read_text(encoding="utf-8")


def test_the_recipe_for_recordings_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a real recording, in which a list is filled by recorded code."""
    program = "def fill(xs):\n    xs.append(1)\n    xs.append(2)\n    return xs\n\n\nfill([])\n"
    recorded.record(tmp_path, program)
    monkeypatch.chdir(tmp_path)
    (recipe,) = re.findall(r"```python\n(.*?)```", RECORDING, re.DOTALL)
    exec(recipe, {"__name__": "recipe"})
    assert "program.fill xs = [1, 2]" in capsys.readouterr().out.splitlines()


def numbers(header: str, text: str = RECORDING) -> set[int]:
    """The numbers in the first column of the table with this header."""
    rows = text.partition(header)[2].partition("\n\n")[0].splitlines()[2:]
    found: set[int] = set()
    for cell in (row.split("|")[1].partition(":")[0] for row in rows):
        for low, high in re.findall(r"(\d+)(?: to (\d+))?", cell):
            found |= set(range(int(low), int(high or low) + 1))
    return found


def test_the_markers_of_recordings_are_those_of_the_code() -> None:
    """The recorder makes a `Marker` for each; the reader has its own constants."""
    writers = (pictures, pytest_events, threads, recording_process)
    written = {one.number for module in writers for one in vars(module).values() if isinstance(one, pictures.Marker)}
    documented = numbers("| marker | record | values |")
    assert documented == {number for number in written if number < run_structure.FIRST_OF_MODULES}
    read = {value for module in (object_states, run_structure) for value in ints(module).values() if value < 64}
    assert documented <= read


def test_the_kinds_and_tags_of_recordings_are_those_of_the_code() -> None:
    written = {name: value for name, value in ints(spill_look).items() if name in TAGS}
    read = {name: value for name, value in ints(values).items() if name in TAGS}
    assert written == read
    stand_apart = {"INT", "FLOAT"}  # ints and floats are not listed
    assert numbers("| kind | parts |") == {value for name, value in read.items() if name not in stand_apart}
    assert numbers("| byte | word | column |") == set(range(values.ANOTHER + 2))
    tags = set(re.findall(r"^\| `(....)` \|", RECORDING, re.MULTILINE))
    assert tags == {tag.decode() for tag in segments.TAGS}
    assert [spill.META, spill.MODULE, spill.VALUES, spill.TAPE, spill.IMAGES, spill.END] == [
        segments.META,
        segments.MODULE,
        segments.VALUES,
        segments.TAPE,
        segments.IMAGES,
        segments.END,
    ]


TAGS = (
    *("SINGLE", "INT", "BIG_INT", "FLOAT", "COMPLEX", "STR", "BYTES", "TUPLE", "FROZENSET", "RANGE", "SLICE"),
    *("DERIVED", "ENUM", "OPAQUE", "OBJECT", "TYPE"),
)


def ints(module: ModuleType) -> dict[str, int]:
    """The constants of a module that are numbers."""
    return {name: value for name, value in vars(module).items() if type(value) is int and name.isupper()}
