# adebug run; answers: no no no no no
"""Workers of asyncio take orders from a list, in turns; from three pieces on, one costs nothing."""

import asyncio


def discounted(price: int, count: int) -> int:
    return price * count - (price if count > 3 else 0)


async def work(orders: list[tuple[int, int]], bills: list[int]) -> None:
    while orders:
        price, count = orders.pop(0)
        await asyncio.sleep(0)
        bills.append(discounted(price, count))


async def total(orders: list[tuple[int, int]]) -> int:
    """The sum of all bills."""
    bills: list[int] = []
    await asyncio.gather(work(orders, bills), work(orders, bills))
    return sum(bills)


if __name__ == "__main__":
    assert asyncio.run(total([(5, 1), (2, 3)])) == 9
