"""The VM of a reference or a rule."""

from pathlib import Path

import pytest

from adebug_lsp.languages.erlang.sandbox.vm import Vm
from adebug_lsp.model.errors import OracleError
from tests.languages.erlang.beam import needs_erlang

pytestmark = needs_erlang


def test_a_vm_that_crashes_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    vm = Vm.start("a reference")
    with pytest.raises(OracleError, match="a reference ended"):
        vm.ask(b"no term at all")
    assert vm.process.wait(20) != 0
    vm.close()
    assert list(tmp_path.iterdir()) == []
