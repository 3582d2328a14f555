"""Markers are found block by block, and all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.languages.python.reading import marker_index as module
from adebug_lsp.languages.python.reading.marker_index import flags, places

WORDS = st.lists(st.one_of(st.integers(0, 12), st.integers(1 << 24, (1 << 24) + 3)), max_size=40)


@given(WORDS, st.sets(st.integers(0, 14)), st.integers(0, 5), st.integers(1, 9))
def test_the_index_agrees_with_a_scan_of_every_word(words: list[int], wanted: set[int], first: int, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        indices = places(np.array(words, np.uint32), flags(wanted), first)
    assert indices.tolist() == [index for index, word in enumerate(words) if word - first in wanted]
