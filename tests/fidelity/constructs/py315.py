"""What 3.15 brought: unpacking in comprehensions (PEP 798), frozen dictionaries (PEP 814), sentinels (PEP 661)."""

import copy
import json
import pickle
import traceback


def say(text, value=None):
    print("say", text)
    return value


lists = [[1, 2], [], [3]]
dicts = [{"a": 1}, {"b": 2, "a": 3}]
print([*one for one in lists], {*one for one in lists}, {**one for one in dicts}, list((*one for one in lists)))
print([*say(x, [x]) for x in range(3) if say("if", x != 1)], [*(x, y) for x in range(2) for y in "ab"])
print([*[*inner for inner in one] for one in [lists, lists]], {**{k: v for k, v in one.items()} for one in dicts})


def inside(lists, extra):
    flat = [*one for one in lists]
    generator = (*one for one in (*lists, extra))
    return flat, next(generator), list(generator), (lambda many: [*x for x in many])([extra, extra])


print(inside(lists, (9, 8)))


def lazily():
    for n in range(2):
        print("made", n)
        yield [n, -n]


steps = (*pair for pair in lazily())
print(next(steps), next(steps), next(steps))


async def awaited():
    async def source():
        for n in range(2):
            yield [n]

    return [*one async for one in source()], [x async for x in (*one async for one in source())]


import asyncio

print(asyncio.run(awaited()))
for attempt in (lambda: [*x for x in [1]], lambda: {**x for x in [1]}, lambda: {*x for x in [[[]]]}, lambda: [*x for x in [[1], undefined]], lambda: {**x for x in ({}, {1: 1 / 0})}):
    try:
        attempt()
    except Exception:
        traceback.print_exc()

frozen = frozendict(a=1, b=[2])
same = frozendict({"b": [2], "a": 1})
print(frozen, frozen == same, frozen["a"], frozen | {"c": 3}, hash(frozendict(x=1)) == hash(frozendict(x=1)), {**frozen}, dict(frozen))
try:
    frozen["a"] = 2
except TypeError:
    traceback.print_exc()
frozen["b"].append(3)
print(frozen, same, copy.copy(frozen) is frozen, json.dumps(frozen), isinstance(frozen, dict))


class Options(frozendict):
    def __getitem__(self, key):
        print("item", key)
        return super().__getitem__(key)


options = Options(x=1)
print(options["x"], options, [*options.items()])
match frozen:
    case {"a": one, **rest}:
        print(one, rest)

MISSING = sentinel("MISSING")


class Holder:
    NOTHING = sentinel("Holder.NOTHING")


def given(value=MISSING):
    return "missing" if value is MISSING else value


print(given(), given(MISSING), given(None), MISSING, repr(Holder.NOTHING), copy.deepcopy(MISSING) is MISSING, bool(MISSING))
print(MISSING == sentinel("MISSING"), MISSING | int, pickle.loads(pickle.dumps(MISSING)) is MISSING, type(MISSING))
