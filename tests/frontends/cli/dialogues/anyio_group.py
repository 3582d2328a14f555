# adebug test -p anyio; answers: yes yes yes yes yes yes yes yes yes no
"""A test of anyio's plug-in: a task group measures lengths, and the longest is wanted."""

import anyio
import pytest


async def measure(text: str, lengths: dict[str, int]) -> None:
    await anyio.sleep(0)
    lengths[text] = len(text.strip())


async def longest(texts: list[str]) -> str:
    """The longest text; blanks around it do not count."""
    lengths: dict[str, int] = {}
    async with anyio.create_task_group() as group:
        for text in texts:
            group.start_soon(measure, text, lengths)
    return min(lengths, key=lambda text: lengths[text])


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_longest(anyio_backend: str) -> None:
    assert await longest(["pear", " fig  ", "melon"]) == "melon"
