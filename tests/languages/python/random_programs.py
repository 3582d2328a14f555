"""Random programs whose every operation can be seen: they work on things that log what is done to them.

A thing that is asked too often explodes, at a moment that is drawn too, so that exceptions come out of every place and
no program runs forever.
"""

from collections.abc import Callable
from typing import Any

from attrs import define, field
from hypothesis import strategies as st

Pick = Callable[[int], int]
"""A number below the one given."""

PRELUDE = '''
class Boom(Exception):
    pass


class Bang(Boom):
    pass


class Thing:
    log = []
    until = 0
    __match_args__ = ("number", "half")

    def __init__(self, number):
        self.__dict__["number"] = number
        self.__dict__["half"] = number // 2

    def tell(self, what, *others):
        Thing.log.append((self.number, what, *map(name, others)))
        if len(Thing.log) == Thing.until:
            raise (Boom if self.number % 2 else Bang)(what)
        if len(Thing.log) > Thing.until + 250:
            raise SystemExit("too long")
        return Thing((self.number * 7 + len(what) * 3 + sum(o.number for o in others if type(o) is Thing)) % 97)

    def __repr__(self):
        return f"<{self.number}>"

    def __hash__(self):
        return self.number

    def __bool__(self):
        return self.tell("bool").number % 3 != 0

    def __eq__(self, other):
        self.tell("==", other)
        return type(other) is Thing and other.number == self.number

    def __iter__(self):
        count = self.tell("iter").number % 4
        return iter([Thing(self.number + n + 1) for n in range(count)])

    def __call__(self, *args, **options):
        return self.tell("call", *args, *options, *options.values())

    def __enter__(self):
        return self.tell("enter")

    def __exit__(self, kind, error, trace):
        found = self.tell("exit", error).number
        return kind is not None and issubclass(kind, Boom) and found % 2 == 0

    def __format__(self, spec):
        self.tell("format", spec)
        return f"({self.number})"

    def __contains__(self, item):
        return self.tell("in", item).number % 2 == 0

    def __getitem__(self, key):
        return self.tell("[]", key)

    def __setitem__(self, key, value):
        self.tell("[]=", key, value)

    def __delitem__(self, key):
        self.tell("del[]", key)

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return self.tell("." + attribute)

    def __setattr__(self, attribute, value):
        self.tell("." + attribute + "=", value)

    def __delattr__(self, attribute):
        self.tell("del." + attribute)

    def __iadd__(self, other):
        self.tell("+=", other)
        return self

    def keys(self):
        self.tell("keys")
        return ["k", "l"]


def name(value):
    kind = type(value)
    if kind is Thing:
        return f"<{value.number}>"
    if kind in (list, tuple, set):
        return (kind.__name__, *map(name, value))
    if kind is dict:
        return ("dict", *((name(key), name(item)) for key, item in value.items()))
    if kind is slice:
        return ("slice", name(value.start), name(value.stop), name(value.step))
    return repr(value) if kind in (int, str, bool, type(None)) else kind.__name__


def operation(symbol):
    return lambda self, *others: self.tell(symbol, *others)


for method, symbol in dict(
    add="+", radd="r+", sub="-", rsub="r-", mul="*", rmul="r*", lt="<", le="<=", gt=">", ge=">=", neg="neg", isub="-=",
    invert="~", matmul="@", imatmul="@=",
).items():
    setattr(Thing, f"__{method}__", operation(symbol))


def t(number):
    return Thing(number).tell("t")


def drive(generator, script):
    """Do what a script says with a generator, and tell what came of it; when it ends is no matter of references."""
    try:
        for step in script:
            try:
                if step == "next":
                    given = next(generator)
                elif step == "send":
                    given = generator.send(t(50))
                elif step == "throw":
                    given = generator.throw(Bang("thrown"))
                else:
                    given = generator.close()
                Thing.log.append((step, name(given)))
            except StopIteration as stop:
                Thing.log.append((step, "stop", name(stop.value)))
            except RuntimeError as error:
                Thing.log.append((step, str(error)))
    finally:
        end(generator)
    return t(60)


def end(generator):
    """Close a generator, which may yield or fail when it is closed."""
    while generator.gi_frame is not None:
        try:
            generator.close()
        except Exception as error:
            Thing.log.append(("end", str(error)))


def seen(error):
    """Tell of an exception and of the lines that it came through."""
    lines, trace = [], error.__traceback__
    while trace is not None:
        lines.append(trace.tb_lineno)
        trace = trace.tb_next
    Thing.log.append((type(error).__name__, str(error), *lines))
    return Thing(len(lines))


def sent(awaited):
    """Run a coroutine to its end without an event loop."""
    try:
        awaited.send(None)
    except StopIteration as stop:
        return stop.value
    awaited.close()
    return t(61)


class Later:
    """Can be awaited, iterated and entered, and waits never."""

    def __init__(self, thing):
        self.thing = thing
        self.left = 2

    def __await__(self):
        return self.thing.tell("await")
        yield

    def __aiter__(self):
        return self

    async def __anext__(self):
        self.left -= 1
        if self.left < 0:
            raise StopAsyncIteration
        return self.thing.tell("anext")

    async def __aenter__(self):
        return self.thing.tell("aenter")

    async def __aexit__(self, kind, error, trace):
        return self.thing.tell("aexit").number % 2 == 0


def passing(thing):
    """A decorator with an argument."""
    return lambda function: function
'''

NAMES = ("a", "b", "c", "d")


@define
class Maker:
    """Writes one program, line by line."""

    pick: Pick
    lines: list[str] = field(factory=list)
    count: int = 0
    functions: list[str] = field(factory=list)
    generators: list[str] = field(factory=list)
    coroutines: list[str] = field(factory=list)
    inside: list[str] = field(factory=list)
    """Kinds of the open blocks around the current line: `def`, `gen`, `async`, `class`, `loop`, `finally`."""

    def one_of(self, *choices: Any) -> Any:
        return choices[self.pick(len(choices))]

    def put(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def number(self) -> int:
        self.count += 1
        return self.count % 97

    # Expressions

    def e(self, depth: int = 2) -> str:
        """An expression."""
        if depth <= 0 or self.pick(4) == 0:
            return self.leaf()
        return str(getattr(self, f"_{self.one_of(*EXPRESSIONS)}")(depth - 1))

    def leaf(self) -> str:
        if self.pick(3):
            return f"t({self.number()})"
        return str(self.one_of("a", "b", "a", "b", "a", "b", *NAMES, "1", "'s'", "None"))

    def _attribute(self, depth: int) -> str:
        return f"{self.atom(depth)}.{self.one_of('x', 'y')}"

    def atom(self, depth: int) -> str:
        return f"({self.e(depth)})"

    def _item(self, depth: int) -> str:
        return f"{self.atom(depth)}[{self.key(depth)}]"

    def key(self, depth: int) -> str:
        a, b, c = (self.e(depth) for _ in range(3))
        return str(self.one_of(a, a, f"({a}):({b})", f"({a}):({b}):({c})", f"{a}, ({b}):", f"{a}, {b}", ":"))

    def _call(self, depth: int) -> str:
        callee = self.one_of(f"({self.e(depth)})", f"({self.e(depth)}).m")
        return f"{callee}({', '.join(self.arguments(depth))})"

    def arguments(self, depth: int) -> list[str]:
        first = [self.one_of("", "", "", "*") + f"({self.e(depth)})" for _ in range(self.pick(3))]
        last = [self.one_of("k=", "l=", "**")[:] + f"({self.e(depth)})" for _ in range(self.pick(2))]
        return [*first, *last]

    def _operator(self, depth: int) -> str:
        return f"({self.e(depth)}) {self.one_of('+', '-', '*', '@')} ({self.e(depth)})"

    def _unary(self, depth: int) -> str:
        inner = self.e(depth).replace("'s'", "b")
        return f"({self.one_of('-', '~', 'not ')}({inner}))"

    def _compare(self, depth: int) -> str:
        rest = [f"{self.one_of(*COMPARISONS)} ({self.e(depth)})" for _ in range(1 + self.pick(2))]
        return f"(({self.e(depth)}) {' '.join(rest)})"

    def _logic(self, depth: int) -> str:
        word: str = self.one_of(" and ", " or ")
        return "(" + word.join(f"({self.operand(depth)})" for _ in range(2 + self.pick(2))) + ")"

    def operand(self, depth: int) -> str:
        """An operand other than `and` and `or`: the interpreter skips the second truth test of their result."""
        kind = self.one_of(*EXPRESSIONS)
        return self.leaf() if depth <= 0 or kind == "logic" else str(getattr(self, f"_{kind}")(depth - 1))

    def _conditional(self, depth: int) -> str:
        return f"({self.e(depth)} if {self.e(depth)} else {self.e(depth)})"

    def _display(self, depth: int) -> str:
        parts = [self.one_of("", "", "*") + f"({self.e(depth)})" for _ in range(self.pick(4))]
        pairs = [self.one_of(f"({self.e(depth)}): ({self.e(depth)})", f"**({self.e(depth)})") for _ in range(2)]
        inner = ", ".join(parts)
        some = f"{{{inner}}}" if parts else "{}"
        return str(
            self.one_of(f"[{inner}]", f"({inner}{',' if len(parts) == 1 else ''})", some, f"{{{', '.join(pairs)}}}")
        )

    def _comprehension(self, depth: int) -> str:
        if "class" in self.inside:
            return self._display(depth)
        x = f"v{self.number()}"
        self.inside += ["inner", "iterable"]
        tail = f"for {x} in {self.atom(depth)}"
        self.inside.pop()
        if self.pick(2):
            tail += f" if ({x} < {self.e(depth)})"
        if self.pick(3) == 0:
            tail += f" for w in {x}"
        made = f"({x}, {self.e(depth)})"
        self.inside.pop()
        return str(
            self.one_of(
                f"[{made} {tail}]", f"{{{made} {tail}}}", f"{{{x}: {made} {tail}}}", f"list({made} {tail})",
                f"next(iter({made} {tail}), None)",
            )
        )  # fmt: skip

    def _lambda(self, depth: int) -> str:
        default, argument = self.atom(depth), self.e(depth)
        self.inside.append("inner")
        body = self.e(depth)
        self.inside.pop()
        return f"(lambda p, q={default}, *r: (p, q, {body}))({argument})"

    def _fstring(self, depth: int) -> str:
        inner, other = self.e(depth).replace("'s'", "2"), self.leaf().replace("'s'", "2")
        if not set(inner + other).isdisjoint("'\"{}\\:!"):
            inner, other = "a", "t(3)"
        return str(
            self.one_of(f"f'<{{({inner})}}>'", f"f'{{({inner})!r:>4}}{{{other}}}'", f"f'{{({inner}):{{{other}}}}}'")
        )

    def _walrus(self, depth: int) -> str:
        if "class" in self.inside or "iterable" in self.inside:
            return self._operator(depth)
        return f"({self.one_of(*NAMES)} := {self.e(depth)})"

    def _yield(self, depth: int) -> str:
        if self.kind() == "gen":
            return str(self.one_of(f"(yield {self.e(depth)})", "(yield)", f"(yield from {self.atom(depth)})"))
        if self.kind() == "async":
            return f"(await Later({self.leaf()}))"
        return self._call(depth)

    def kind(self) -> str:
        """Kind of the innermost function."""
        return next((word for word in reversed(self.inside) if word in ("def", "gen", "async", "class", "inner")), "")

    # Statements

    def block(self, indent: int, depth: int) -> None:
        for _ in range(1 + self.pick(3)):
            self.statement(indent, depth)

    def statement(self, indent: int, depth: int) -> None:
        simple = depth <= 0 or self.pick(2) == 0
        kind = self.one_of(*(SIMPLE if simple else COMPOUND))
        getattr(self, f"do_{kind}")(indent, depth - 1)

    def target(self) -> str:
        simple = [self.one_of(*NAMES), self.one_of(*NAMES), f"{self.atom(1)}.x", f"{self.atom(1)}[{self.key(1)}]"]
        return str(self.one_of(*simple))

    def plain_target(self) -> str:
        """A target without comprehensions."""
        return str(self.one_of(*NAMES, f"t({self.number()}).x", f"b[{self.leaf()}]", "(a, *b)"))

    def targets(self) -> str:
        first, second = self.target(), self.target()
        return str(
            self.one_of(
                first, first, first, f"{first}, {second}", f"{first}, *{second}", f"[{first}, ({second}, *d)]",
                f"{first} = {second}", f"{first}, {second} = {self.one_of(*NAMES)}",
            )
        )  # fmt: skip

    def do_expression(self, indent: int, _depth: int) -> None:
        self.put(indent, self.e(3))

    def do_assign(self, indent: int, _depth: int) -> None:
        self.put(indent, f"{self.targets()} = {self.one_of(self.e(), self.e(), f'{self.e(1)}, {self.e(1)}')}")

    def do_annotated(self, indent: int, _depth: int) -> None:
        self.put(indent, f"{self.one_of('a', 't(5)')}.z: int = {self.e()}")

    def do_augmented(self, indent: int, _depth: int) -> None:
        target = self.one_of(self.one_of(*NAMES), f"{self.atom(1)}.x", f"{self.atom(1)}[{self.leaf()}]")
        self.put(indent, f"{target} {self.one_of('+=', '-=', '@=', '*=')} {self.e()}")

    def do_delete(self, indent: int, _depth: int) -> None:
        gone = self.one_of(*NAMES)
        self.put(
            indent,
            self.one_of(
                f"del {self.atom(1)}.x", f"del {self.atom(1)}[{self.key(1)}], ({self.atom(1)}.y)", f"del {gone}"
            ),
        )
        if self.lines[-1].endswith(f"del {gone}"):
            self.put(indent, f"{gone} = t({self.number()})")

    def do_assert(self, indent: int, _depth: int) -> None:
        self.put(indent, f"assert {self.e(1)} or {self.e(1)}, {self.e(1)}")

    def do_raise(self, indent: int, _depth: int) -> None:
        self.put(indent, self.one_of("raise", f"raise Boom({self.e(1)})", f"raise Bang({self.e(1)}) from Boom(2)"))

    def do_jump(self, indent: int, _depth: int) -> None:
        inner = self.inside[::-1]
        around = inner[
            : next((i for i, word in enumerate(inner) if word in ("def", "gen", "async", "class")), len(inner))
        ]
        if "loop" in around:
            self.put(indent, self.one_of("break", "continue"))
        elif self.kind() in ("def", "gen", "async"):
            self.put(indent, f"return {self.e()}")
        else:
            self.put(indent, "pass")

    def do_if(self, indent: int, depth: int) -> None:
        self.put(indent, f"if {self.e()}:")
        self.block(indent + 1, depth)
        if self.pick(2):
            self.put(indent, f"elif {self.e()}:")
            self.block(indent + 1, depth)
        if self.pick(2):
            self.put(indent, "else:")
            self.block(indent + 1, depth)

    def do_while(self, indent: int, depth: int) -> None:
        self.put(indent, f"while t({self.number()}) < {self.e()}:")
        self.looped(indent, depth)

    def do_for(self, indent: int, depth: int) -> None:
        word = "async " if self.kind() == "async" and self.pick(2) else ""
        over = f"Later({self.leaf()})" if word else self.e()
        self.put(indent, f"{word}for {self.target()} in {over}:")
        self.looped(indent, depth)

    def looped(self, indent: int, depth: int) -> None:
        self.inside.append("loop")
        if self.pick(2):
            self.put(indent + 1, f"if {self.leaf()}:")
            self.put(indent + 2, self.one_of("break", "continue"))
        self.block(indent + 1, depth)
        self.inside.pop()
        if self.pick(2):
            self.put(indent, "else:")
            self.block(indent + 1, depth)

    def do_try(self, indent: int, depth: int) -> None:
        self.put(indent, "try:")
        self.block(indent + 1, depth)
        handlers = self.pick(3)
        if handlers:
            self.put(indent, self.one_of("except Bang:", "except (Boom, TypeError) as error:", "except NameError:"))
            self.block(indent + 1, depth)
        if handlers > 1:
            self.put(indent, self.one_of("except Exception as error:", "except:"))
            self.block(indent + 1, depth)
        if handlers and self.pick(2):
            self.put(indent, "else:")
            self.block(indent + 1, depth)
        if not handlers or self.pick(2):
            self.put(indent, "finally:")
            self.block(indent + 1, depth)

    def do_with(self, indent: int, depth: int) -> None:
        if self.kind() == "async" and self.pick(2):
            self.put(indent, f"async with Later({self.leaf()}) as {self.plain_target()}:")
        else:
            first = f"{self.e()} as {self.plain_target()}" if self.pick(2) else self.e()
            second = f", {self.e(1)} as {self.plain_target()}" if self.pick(3) == 0 else ""
            self.put(indent, f"with {first}{second}:")
        self.block(indent + 1, depth)

    def do_match(self, indent: int, depth: int) -> None:
        self.put(indent, f"match {self.e()}:")
        for _ in range(1 + self.pick(2)):
            guard = f" if {self.e(1)}" if self.pick(3) == 0 else ""
            self.put(indent + 1, f"case {self.one_of(*PATTERNS)}{guard}:")
            self.block(indent + 2, depth)

    def do_function(self, indent: int, depth: int) -> None:
        self.routine(indent, depth, "def")
        name = self.functions[-1]
        self.put(indent, f"{self.one_of(*NAMES)} = {name}({self.e(1)})")

    def do_generator(self, indent: int, depth: int) -> None:
        self.routine(indent, depth, "gen")
        script = [self.one_of("next", "next", "send", "throw", "close") for _ in range(1 + self.pick(4))]
        self.put(indent, f"drive({self.generators[-1]}({self.e(1)}), {['next', *script]})")

    def do_coroutine(self, indent: int, depth: int) -> None:
        self.routine(indent, depth, "async")
        name = self.coroutines[-1]
        awaited = self.kind() == "async" and self.pick(2)
        self.put(indent, f"await {name}({self.e(1)})" if awaited else f"sent({name}({self.e(1)}))")

    def routine(self, indent: int, depth: int, kind: str) -> None:
        name = f"f{self.number()}"
        if self.pick(4) == 0:
            self.put(indent, f"@passing({self.e(1)})")
        word = "async def" if kind == "async" else "def"
        self.put(indent, f"{word} {name}(a, b={self.e(1)}, *c, k={self.e(1)}, **d):")
        around = self.kind()
        self.inside.append(kind)
        if around in ("def", "gen", "async") and self.pick(2):
            outer = f"o{self.number()}"
            self.lines.insert(
                len(self.lines) - 1 - self.lines[-2].strip().startswith("@passing"), "    " * indent + f"{outer} = t(9)"
            )
            self.put(indent + 1, f"nonlocal {outer}")
            self.put(indent + 1, f"{outer} = {outer} + {self.atom(1)}")
        if kind == "gen":
            self.put(indent + 1, "yield a")
        self.block(indent + 1, depth)
        if self.pick(2):
            self.put(indent + 1, f"return {self.e()}")
        self.inside.pop()
        {"def": self.functions, "gen": self.generators, "async": self.coroutines}[kind].append(name)

    def do_class(self, indent: int, depth: int) -> None:
        name = f"C{self.number()}"
        self.put(indent, f"class {name}:")
        self.inside.append("class")
        self.block(indent + 1, min(depth, 1))
        self.inside.append("def")
        self.put(indent + 1, f"def m(self, a, b={self.e(1)}, c=1, d=2):")
        self.put(indent + 2, f"self.__x, c, d = {self.e()}, a, b")
        self.block(indent + 2, min(depth, 1))
        self.inside.pop()
        self.inside.pop()
        self.put(indent, f"{self.one_of(*NAMES)} = {name}().m({self.e(1)})")


EXPRESSIONS = (
    "attribute", "item", "call", "call", "operator", "unary", "compare", "logic", "conditional", "display",
    "comprehension", "lambda", "fstring", "walrus", "yield", "yield",
)  # fmt: skip
COMPARISONS = ("<", "<=", ">", "==", "in", "not in", "is", "is not")
SIMPLE = (
    "expression", "expression", "assign", "assign", "assign", "annotated", "augmented", "augmented", "delete", "assert",
    "raise", "jump",
)  # fmt: skip
COMPOUND = (
    "if", "while", "for", "for", "try", "try", "try", "with", "match", "function", "generator", "coroutine",
    "class", "assign",
)  # fmt: skip
PATTERNS = (
    "Thing(number=b)", "Thing(c, 3)", "(a, *b)", "[x, y]", "{'k': c, **d}", "1 | 's' as a", "None",
    "(Boom() | Thing()) as c",
)  # fmt: skip


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program that can be made smaller."""
    return program(lambda below: draw(st.integers(0, below - 1)))


def program(pick: Pick) -> str:
    """A program that begins with the prelude's names, and ends with its variables."""
    maker = Maker(pick)
    maker.put(0, "a, b, c, d = t(1), t(2), [t(3), t(4)], {'k': t(5)}")
    inside = bool(pick(2))
    if inside:
        maker.inside.append("def")
        maker.put(0, "def main(a, b, c, d):")
    for _ in range(4):
        # Most pieces end with an exception sooner or later; the next one begins anew.
        maker.put(int(inside), "try:")
        maker.block(int(inside) + 1, 3)
        maker.put(int(inside), "except Exception as error:")
        maker.put(int(inside) + 1, "a, b = t(1), seen(error)")
    if inside:
        maker.put(1, f"return {maker.e()}")
        maker.put(0, "result = main(a, b, c, d)")
    return "\n".join(maker.lines) + "\n"
