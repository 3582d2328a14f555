"""What 3.15 brought: imports that happen at the first use (PEP 810), and not a moment sooner or later."""

import sys
import traceback
import types

lazy import json
lazy import lazy_parts.loud
lazy import lazy_parts.loud as renamed
lazy from lazy_parts.loud import double, value as five
lazy from lazy_parts import quiet
lazy import no_such_module
lazy from lazy_parts import no_such_name
lazy from lazy_parts.broken import anything


def say(text, value=None):
    print("say", text)
    return value


def kinds(*names):
    return [type(globals()[name]).__name__ for name in names]


print("loaded before:", "lazy_parts" in sys.modules)
print(kinds("json", "lazy_parts", "renamed", "double", "five", "quiet"), repr(globals()["double"]))
print(isinstance(globals()["json"], types.LazyImportType), sorted(name for name in sys.lazy_modules if name.startswith("lazy_parts")))


def uses(n):
    print("begin")
    result = say("argument", n) + double(say("inner", n))
    return result


print(uses(2))
print(kinds("double", "five", "lazy_parts"), "lazy_parts.loud" in sys.modules)
print(say("first", 1) + five, lazy_parts.loud.value, renamed is lazy_parts.loud)
print([say(x) or quiet.use() for x in range(2)])
print(json.dumps({"a": [1, say("last", 2)]}))

for attempt in (lambda: no_such_module, lambda: no_such_module.x, lambda: no_such_name, lambda: anything, lambda: [1, anything][0]):
    try:
        attempt()
    except Exception:
        traceback.print_exc()
print(kinds("no_such_module", "no_such_name", "anything"))

if say("condition", True):
    lazy import statistics
for turn in range(2):
    lazy import fractions
    print("turn", turn, kinds("fractions"))
with open(__file__):
    lazy import decimal
    for _ in "ab":
        pass
print(kinds("statistics", "fractions", "decimal"))
print(fractions.Fraction(1, 2), decimal.Decimal("1.5"), statistics.mean([1, 2]))
lazy import lazy_parts.named
del lazy_parts
lazy import shlex
shlex = "bound anew"
print(shlex, "lazy_parts.named" in sys.modules)


def declared():
    global textwrap
    return textwrap.dedent("  x"), say("order", textwrap) is textwrap


lazy import textwrap
print(declared())
lazy import csv, colorsys as colours
print(kinds("csv", "colours"), (say("left"), csv.__name__, say("right"), colours.__name__))


class Body:
    name = csv.__name__

    def method(self, module=colours):
        return module.__name__, plistlib.__name__, say("x")


lazy import plistlib
print(Body().method(), Body.name)
for text in ("try:\n    lazy import a\nexcept E: pass", "def f():\n    lazy import a", "class A:\n    lazy import a", "lazy from a import *"):
    try:
        exec(text)
    except SyntaxError as error:
        print(error)
lazy = 5
lazy += 1
print(lazy, json.loads("[1]"))
no_such_module.x
