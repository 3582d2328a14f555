"""What 3.11 brought: except*, groups, notes, star subscripts, task groups, async comprehensions within others."""

import asyncio
import sys
import traceback


def fail(*kinds):
    errors = []
    for kind in kinds:
        try:
            raise kind(kind.__name__.lower())
        except kind as error:
            errors.append(error)
    raise ExceptionGroup("several", errors)


def sorted_out(*kinds):
    try:
        fail(*kinds)
    except* (ValueError, TypeError) as group:
        print("  first", group.exceptions, [e.__traceback__.tb_lineno for e in group.exceptions])
    except* KeyError as group:
        print("  second", group)
        raise LookupError("from a handler") from group
    else:
        print("never")
    finally:
        print("  finally")


for kinds in ((ValueError, TypeError), (ValueError, KeyError), (OSError, KeyError)):
    try:
        sorted_out(*kinds)
    except BaseException as error:
        traceback.print_exception(error, file=sys.stdout)
try:
    raise ValueError("plain")
except* ValueError as group:
    print(type(group).__name__, group.exceptions)
try:
    error = ValueError("noted")
    error.add_note("a note\non two lines")
    raise error
except ValueError:
    traceback.print_exc(file=sys.stdout)


class Shape:
    def __class_getitem__(cls, item):
        return item


axes = ("a", "b")
print(Shape[*axes], Shape[1, *axes, 2])


def variadic(*args: *tuple[int, ...]):
    return args


print(variadic(1, 2), variadic.__annotations__)


async def numbers():
    for n in range(3):
        yield n


async def main():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(asyncio.sleep(0, n)) for n in range(3)]
    print([task.result() for task in tasks], [[x async for x in numbers()] for _ in range(2)])
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(asyncio.sleep(10))
            raise RuntimeError("in the body")
    except* RuntimeError as found:
        print(found.exceptions)
    async with asyncio.timeout(5):
        print("in time")


asyncio.run(main())
(1 / 1) + (2 / 2) + (
    3 / 0
) + 4 / 4
