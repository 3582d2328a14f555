"""What 3.11 and later have."""
import asyncio
import traceback

def star(kinds):
    for turn in range(2):
        try:
            try:
                raise ExceptionGroup("g", [k(i) for i, k in enumerate(kinds)])
            except* ValueError as group:
                print("V", group.exceptions)
                if turn: raise RuntimeError("more")
            except* (KeyError, TypeError) as group:
                print("KT", group.exceptions)
            else:
                print("else")
            finally:
                print("finally")
        except BaseException as error:
            print("out", repr(error), [repr(e) for e in getattr(error, "exceptions", ())])
            error.add_note("note")
            traceback.print_exception(error)
    return "done"
for kinds in ((ValueError,), (KeyError, ValueError), (TypeError, OSError), (OSError, ValueError)):
    print(star(kinds))
def one():
    try:
        raise ValueError(1)
    except* ValueError as g:
        print(g.exceptions)
    def f(*args: *tuple[int]): return args
    print(f.__annotations__, f(1))
    x = {}
    t = (1, 2)
    x[*t] = 3
    x[0, *t] = 4
    x[*t, 0] = x[*t]
    x[*t] += 1
    print(x)
    del x[*t]
    print(x)
one()


async def agen(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def nested():
    print([[z async for z in agen(2)] for _ in range(2)], {y: {x async for x in agen(y)} async for y in agen(3)})
    print([x for x in [y async for y in agen(3) if [z async for z in agen(y)]] if x])


asyncio.run(nested())
