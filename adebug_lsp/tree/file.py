"""The file format of trees: a header, a JSON table of contents with the sites, then the raw columns, page-aligned.

Opening memory-maps the columns, so that a tree larger than memory can be searched. The structural columns are validated
once, because a forged number could send a search out of bounds. The file is pure data; nothing in it is executed.
"""

import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.json import from_json, to_json
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.tree.columns import COLUMNS, MOST_NODES, Column, ExecutionTree
from adebug_lsp.tree.scratch import scratch

MAGIC = b"ADEBUGTR"
VERSION = 1
PAGE = 4096
MOST_CONTENTS = 1 << 30

_HEADER = struct.Struct("<8sIIQ")  # magic, version, CRC-32 of the contents, length of the contents


def write_tree(tree: ExecutionTree, path: Path) -> None:
    """Write a tree to a file, which appears under its name only when it is complete."""
    contents = json.dumps({"nodes": len(tree), "sites": [to_json(site) for site in tree.sites]}).encode()
    header = _HEADER.pack(MAGIC, VERSION, zlib.crc32(contents), len(contents))
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            file.write(header + contents)
            for name, kind in COLUMNS.items():
                file.write(b"\0" * (-file.tell() % PAGE))
                np.ascontiguousarray(getattr(tree, name), dtype=kind).tofile(file)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise BadInputError(f"{path}: the tree was not written: {error.strerror}") from error


def open_tree(path: Path) -> ExecutionTree:
    """Open and validate the tree in a file; its columns stay on disk."""
    try:
        with path.open("rb") as file:
            length = os.fstat(file.fileno()).st_size
            contents, offset = _contents(file.read(_HEADER.size), file, length)
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read: {error.strerror}") from error
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}") from None
    nodes, sites = contents
    columns: dict[str, Column] = {}
    for name, kind in COLUMNS.items():
        offset += -offset % PAGE
        end = offset + nodes * np.dtype(kind).itemsize
        if end > length:
            raise BadInputError(
                f"{path}: the file is cut short: the column '{name}' should end at byte {end} of {length}"
            )
        columns[name] = np.memmap(path, dtype=kind, mode="r", offset=offset, shape=(nodes,))
        offset = end
    tree = ExecutionTree(**columns, sites=sites)
    try:
        check_tree(tree)
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}") from None
    return tree


def check_tree(tree: ExecutionTree, block: int = 1 << 16) -> None:
    """Raise `BadInputError` for a tree whose subtrees are not slices, or whose nodes have no valid site or kind.

    Subtrees are slices if each lies within its parent's and has the size that its children add up to.
    """
    n = len(tree)
    sizes = scratch(n, np.dtype(np.int64))
    sizes[:] = 1
    for start in range(0, n, block):
        stop = min(start + block, n)
        nodes = np.arange(start, stop)
        size, parent = tree.size[start:stop].astype(np.int64), tree.parent[start:stop].astype(np.int64)
        ends = nodes + size
        good = (size >= 1) & (ends <= n) & (parent < nodes) & (parent >= -1) & ((parent >= 0) | (nodes == 0))
        above = np.clip(parent, 0, n - 1)  # an invalid index must not raise before it is reported
        good &= ends <= above + tree.size[above]
        site = tree.site[start:stop]
        good &= (site >= 0) & (site < len(tree.sites)) & (tree.kind[start:stop] < len(NodeKind))
        if not good.all():
            raise BadInputError(f"the tree is damaged at node {start + int(np.argmin(good))}")
        np.add.at(sizes, parent[nodes > 0], size[nodes > 0])
    for start in range(0, n, block):
        wrong = sizes[start : start + block] != tree.size[start : start + block]
        if wrong.any():
            raise BadInputError(f"the tree is damaged at node {start + int(np.argmax(wrong))}")


def _contents(raw: bytes, file: Any, length: int) -> tuple[tuple[int, list[Site]], int]:
    """Parse the table of contents: the number of nodes, the sites, and the columns' position."""
    if len(raw) < _HEADER.size or raw[: len(MAGIC)] != MAGIC:
        raise BadInputError("this is not a tree file of adebug")
    _magic, version, checksum, size = _HEADER.unpack(raw)
    if version != VERSION:
        raise BadInputError(f"the tree was written as version {version}; this adebug reads version {VERSION}")
    if size > min(length - _HEADER.size, MOST_CONTENTS):
        raise BadInputError("the file is cut short inside its table of contents")
    data = file.read(size)
    if zlib.crc32(data) != checksum:
        raise BadInputError("the table of contents is damaged (its checksum differs)")
    contents = json.loads(data)
    nodes = contents.get("nodes") if isinstance(contents, dict) else None
    if type(nodes) is not int or not 0 < nodes <= MOST_NODES:
        raise BadInputError(f"the number of nodes is {nodes!r}")
    return (nodes, from_json(contents.get("sites"), list[Site])), _HEADER.size + size
