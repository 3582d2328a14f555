"""Programs to debug, each in a workspace of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.dap.client import Client
from tests.support import EXAMPLES

Start = Callable[..., Client]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with the prime example."""
    (tmp_path / "prime.py").write_bytes((EXAMPLES / "prime.py").read_bytes())
    return tmp_path


@pytest.fixture
def start(workspace: Path) -> Iterator[Start]:
    """Starts adapters, and checks that none is left at the end."""
    clients: list[Client] = []

    def begin(**facts: Any) -> Client:
        clients.append(Client(workspace, **facts))
        return clients[-1]

    yield begin
    for client in clients:
        client.__exit__()
