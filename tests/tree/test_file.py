"""Tree files round-trip, and damage gives a message, never a crash."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.search.strategies import names, strategy
from adebug_lsp.tree.columns import COLUMNS, ExecutionTree
from adebug_lsp.tree.file import check_tree, open_tree, write_tree
from tests.support import ROOT, example, questions, tree_of
from tests.support import preorder_parents as parents_strategy


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "tree"
    write_tree(example("sqrtest").tree, path)
    return path


def test_a_tree_file_round_trips_and_stays_on_disk(written: Path) -> None:
    tree = open_tree(written)
    original = example("sqrtest").tree
    for name in COLUMNS:
        assert isinstance(getattr(tree, name), np.memmap)
        assert getattr(tree, name).tolist() == getattr(original, name).tolist()
    assert list(tree.sites) == list(original.sites)


def test_every_strategy_works_on_a_file(written: Path) -> None:
    handmade = example("sqrtest")
    on_disk = evolve(handmade, tree=open_tree(written))
    for name in names():
        assert questions(strategy(name), on_disk) == questions(strategy(name), handmade)


def test_a_file_cut_anywhere_is_refused(written: Path) -> None:
    whole = written.read_bytes()
    for length in range(0, len(whole), 997):
        written.write_bytes(whole[:length])
        with pytest.raises(BadInputError, match=r"tree file|cut short|checksum"):
            open_tree(written)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_forged_bytes_are_refused_or_caught_by_the_check(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "forged"
    write_tree(example("sqrtest").tree, path)
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(raw)
    try:
        tree = open_tree(path)
    except BadInputError as error:
        assert str(error).startswith(str(path))  # noqa: PT017 (either it is refused, or it is well formed)
        return
    assert well_formed(tree)


def well_formed(tree: ExecutionTree) -> bool:
    """By hand: every subtree is a slice that lies in its parent's."""
    for node in range(len(tree)):
        parent = int(tree.parent[node])
        if (parent < 0) != (node == 0) or parent >= node or int(tree.size[node]) < 1:
            return False
        if tree.end(node) > (len(tree) if parent < 0 else tree.end(parent)):
            return False
    return True


@settings(max_examples=60, deadline=None)
@given(parents=parents_strategy(most=12), data=st.data())
def test_the_check_finds_a_wrong_parent(parents: list[int | None], data: st.DataObject) -> None:
    """A column that says another parent than the sizes do is damage, whichever node it is."""
    tree = tree_of(parents)
    node = data.draw(st.integers(0, len(tree) - 1))
    size = int(tree.size[node])
    tree.size[node] = size + data.draw(st.sampled_from([-1, 1]))
    with pytest.raises(BadInputError, match="damaged at node"):
        check_tree(tree)


@pytest.mark.parametrize(
    ("position", "byte", "message"),
    [(0, 0, "not a tree file"), (8, 9, "version 9"), (12, 1, "checksum"), (23, 255, "cut short")],
)
def test_a_wrong_header_is_named(written: Path, position: int, byte: int, message: str) -> None:
    raw = bytearray(written.read_bytes())
    raw[position] = (raw[position] + byte) % 256 if position == 12 else byte
    written.write_bytes(raw)
    with pytest.raises(BadInputError, match=message):
        open_tree(written)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(BadInputError, match="cannot be read"):
            open_tree(path)


def test_an_unwritable_path(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="was not written"):
        write_tree(example("sqrtest").tree, tmp_path / "no such folder" / "tree")
    assert list(tmp_path.iterdir()) == []


SEARCH = """
import resource, sys
from pathlib import Path
from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.strategies import strategy
from adebug_lsp.tree import scratch
from adebug_lsp.search.space import Space
from adebug_lsp.tree.file import open_tree

scratch.SPILL = 1 << 20
used = int(next(line for line in open("/proc/self/status") if line.startswith("VmData")).split()[1]) * 1024
limit = used + int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
tree = open_tree(Path(sys.argv[1]))
chooser = strategy(sys.argv[3])
space = Space(tree)
bug = len(tree) - 2
while space.any_askable():
    node = chooser.choose(space)
    space.judge(node, Judgement.NO if tree.contains(node, bug) else Judgement.YES)
print(space.top == bug)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory limits are set the Linux way")
@pytest.mark.parametrize("name", ["top-down", "heaviest-first", "divide-and-query-optimal", "expected-cost"])
def test_a_tree_larger_than_memory_can_be_searched(tmp_path: Path, name: str) -> None:
    """A sixth of the columns' size is all the memory there is, and the search still ends at the bug."""
    path = tmp_path / "large"
    parents, sizes = np.array([-1]), np.array([1])
    for _ in range(20):  # a complete binary tree in preorder: a root, then two of the smaller ones
        left, right = parents + 1, parents + 1 + len(parents)
        left[0] = right[0] = 0
        sizes = np.concatenate([[2 * len(sizes) + 1], sizes, sizes])
        parents = np.concatenate([[-1], left, right])
    columns = {name: np.zeros(len(parents), dtype=kind) for name, kind in COLUMNS.items()}
    columns |= {"parent": parents.astype("<i4"), "size": sizes.astype("<i4")}
    write_tree(ExecutionTree(**columns, sites=example("sqrtest").tree.sites), path)
    allowed = path.stat().st_size // 6
    run = subprocess.run(
        [sys.executable, "-c", SEARCH, str(path), str(allowed), name],
        capture_output=True, text=True, timeout=300, check=False, cwd=ROOT,
    )  # fmt: skip
    assert run.stderr == ""
    assert run.stdout.strip() == "True"
