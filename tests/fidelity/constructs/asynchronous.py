"""Coroutines, tasks, async generators and comprehensions, async with, cancellation, timeouts, groups of tasks."""

import asyncio
import contextlib
import contextvars
import inspect

order = []
variable = contextvars.ContextVar("variable", default="unset")


async def work(name, steps):
    for step in range(steps):
        order.append((name, step))
        await asyncio.sleep(0)
    return f"{name} done"


async def produce(limit):
    print("  producer starts")
    try:
        for n in range(limit):
            got = yield n
            if got:
                print("  got", got)
            await asyncio.sleep(0)
    finally:
        print("  producer ends")


class Resource:
    async def __aenter__(self):
        await asyncio.sleep(0)
        print("  opened")
        return self

    async def __aexit__(self, kind, value, trace):
        print("  closed", kind and kind.__name__)
        return kind is KeyError


class Range:
    def __init__(self, stop):
        self.now, self.stop = 0, stop

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.now >= self.stop:
            raise StopAsyncIteration
        self.now += 1
        return self.now


class Custom:
    def __await__(self):
        yield
        return "awaited by hand"


@contextlib.asynccontextmanager
async def managed(name):
    print("  in", name)
    try:
        yield name
    finally:
        print("  out", name)


async def loops():
    print([n async for n in produce(3) if n != 1], {n: n async for n in Range(2)}, {await work("set", 1) for _ in "ab"})
    async for n in Range(3):
        if n == 2:
            break
    else:
        print("never")
    async for n in Range(1):
        continue
    else:
        print("else of async for", n)
    generator = produce(5)
    print(await generator.__anext__(), await generator.asend("sent"))
    await generator.aclose()
    print([x async for x in (await_ async for await_ in Range(2))], [await Custom() for _ in range(1)])


async def contexts():
    async with Resource() as r, managed("m") as name:
        print("  body", type(r).__name__, name)
    async with Resource():
        raise KeyError("swallowed")
    try:
        async with managed("failing"):
            raise ValueError("passes")
    except ValueError as error:
        print(error)


async def tasks():
    results = await asyncio.gather(work("a", 2), work("b", 3), return_exceptions=True)
    print(results, order)
    task = asyncio.create_task(work("task", 1), name="named")
    print(task.get_name(), await task)

    async def forever():
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            print("  cancelled")
            raise
        finally:
            print("  finally")

    task = asyncio.create_task(forever())
    await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    print(task.cancelled())
    try:
        await asyncio.wait_for(forever(), 0.01)
    except (asyncio.TimeoutError, TimeoutError) as error:
        print("timeout", error.args)

    async def fails():
        raise LookupError("in a task")

    print(await asyncio.gather(fails(), return_exceptions=True))


async def context_variables():
    variable.set("outer")

    async def inner():
        variable.set("inner")
        return variable.get()

    print(await asyncio.create_task(inner()), variable.get())


async def queues():
    queue = asyncio.Queue(2)

    async def consumer():
        total = 0
        while (item := await queue.get()) is not None:
            total += item
        return total

    task = asyncio.create_task(consumer())
    for n in [1, 2, 3, None]:
        await queue.put(n)
    print(await task)


async def main():
    for part in (loops, contexts, tasks, context_variables, queues):
        print(part.__name__)
        await part()
    return "end of main"


print(asyncio.run(main()))
coroutine = work("by hand", 1)
print(inspect.getcoroutinestate(coroutine), inspect.iscoroutine(coroutine), coroutine.cr_code.co_name)
coroutine.close()


async def nothing():
    return 5


by_hand = nothing()
try:
    by_hand.send(None)
except StopIteration as stop:
    print(stop.value)


async def traced():
    await asyncio.sleep(0)
    raise RuntimeError("traced")


try:
    asyncio.run(traced())
except RuntimeError as error:
    trace = error.__traceback__
    lines = []
    while trace:
        if trace.tb_frame.f_code.co_filename == __file__:
            lines.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
        trace = trace.tb_next
    print(lines)
