"""Runs the tests of the writer with both implementations: the accelerator and its Python twin."""

from collections.abc import Iterator

import pytest

from tests.languages.python.recording.support import accelerated, numbering


@pytest.fixture(scope="module", params=["Python", "C"])
def twin(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every recording that is made in this process is made in one of the two ways."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbering, "accelerator", accelerated() if request.param == "C" else None)
        yield
