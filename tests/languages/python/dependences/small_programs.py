"""Random programs that compute whole numbers, with a constant on almost every line, and the same with other constants.

Whatever the constants are, such a program ends and raises nothing that it does not catch.
"""

import re
from random import Random

from attrs import define, field

PRELUDE = """
class Box:
    def __init__(self, n):
        self.n = n

    def put(self, n):
        if n % 3 == 1:
            return
        self.n = n


class Stop(Exception):
    pass

"""

NAMES = ("a", "b", "c")
_CONSTANT = re.compile(r"(?<![\w.])[1-9](?!\w)")


@define
class Maker:
    """Writes one program, line by line."""

    random: Random
    number: int
    lines: list[str] = field(factory=list)
    counters: int = 0
    functions: list[tuple[str, int]] = field(factory=list)
    """Names, and how many values each returns."""

    def put(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def constant(self) -> str:
        return str(self.random.randint(1, 9))

    def value(self, depth: int = 1) -> str:
        """An expression that gives a whole number."""
        simple = [self.pick(*NAMES), self.constant(), self.pick(*NAMES)]
        if depth <= 0:
            return self.pick(*simple)
        left, right = self.value(depth - 1), self.value(depth - 1)
        return self.pick(
            *simple,
            f"({left} {self.pick('+', '-', '*')} {right}) % 97",
            f"xs[{left} % len(xs)]",
            f"ys[{left} % len(ys)]",
            f"{self.pick('sum', 'max', 'len')}({self.pick('xs', 'ys')})",
            f"d.get({left}, {right})",
            f"{self.pick('o', 'p')}.n",
            f"({left} if {self.condition()} else {right})",
            f"sum([v + {left} for v in {self.pick('xs', 'ys')}]) % 97",
            f"sorted(xs)[{self.constant()} % len(xs)]",
            self.called(left, 1) or left,
        )

    def called(self, argument: str, results: int) -> str | None:
        fitting = [name for name, count in self.functions if count == results]
        return f"{self.pick(*fitting)}({argument}, {self.pick('xs', 'ys')}, {self.pick('o', 'p')})" if fitting else None

    def condition(self) -> str:
        return self.pick(
            f"{self.value(0)} % {self.constant()} == {self.random.randint(0, 2)}", f"{self.value(0)} > {self.value(0)}"
        )

    def block(self, indent: int, depth: int, loops: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent, depth, loops)

    def statement(self, indent: int, depth: int, loops: int) -> None:
        if depth > 0 and self.random.random() < 0.45:
            getattr(self, self.pick("_if", "_if", "_for", "_while", "_try"))(indent, depth - 1, loops)
        elif loops and self.random.random() < 0.15:
            self.put(indent, f"if {self.condition()}:")
            self.put(indent + 1, self.pick("break", "continue"))
        else:
            self.put(indent, self.simple())

    def simple(self) -> str:
        name, xs, box = self.pick(*NAMES), self.pick("xs", "ys"), self.pick("o", "p")
        pair = self.called(self.value(0), 2)
        return self.pick(
            f"{name} = {self.value()}",
            f"{name} = {self.value()}",
            f"{name} {self.pick('+=', '-=')} {self.value()}",
            f"{xs}[{self.value(0)} % len({xs})] = {self.value()}",
            f"{xs}[{self.value(0)} % len({xs})] += {self.value(0)}",
            f"{xs}.append({self.value()})",
            f"{xs}.insert({self.value(0)} % 3, {self.value(0)})",
            f"{xs}.{self.pick('sort', 'reverse')}()",
            f"d[{self.value(0)} % 4] = {self.value()}",
            f"{box}.n = {self.value()}",
            f"{box}.put({self.value()})",
            f"{self.pick('a, b', 'b, c')} = {self.value(0)}, {self.value()}",
            f"{self.pick('a, b', 'b, c')} = {pair}" if pair else f"{name} = {self.value()}",
            f"{name} = g{self.number}",
        )

    def _if(self, indent: int, depth: int, loops: int) -> None:
        self.put(indent, f"if {self.condition()}:")
        self.block(indent + 1, depth, loops)
        if self.random.random() < 0.4:
            self.put(indent, "else:")
            self.block(indent + 1, depth, loops)

    def _for(self, indent: int, depth: int, loops: int) -> None:
        name = self.pick(*NAMES)
        over = self.pick(
            f"range({self.constant()} % 4)", f"{self.pick('xs', 'ys')}[:3]", f"enumerate([{self.value()}])"
        )
        self.put(indent, f"for {name if 'enumerate' not in over else f'{name}, b'} in {over}:")
        self.block(indent + 1, depth, loops + 1)

    def _while(self, indent: int, depth: int, loops: int) -> None:
        self.counters += 1
        counter = f"i{self.counters}"
        self.put(indent, f"{counter} = {self.constant()}")
        self.put(indent, f"while {counter} < {self.constant()} % 5:")
        self.put(indent + 1, f"{counter} += {self.constant()}")
        self.block(indent + 1, depth, loops + 1)

    def _try(self, indent: int, depth: int, loops: int) -> None:
        self.put(indent, "try:")
        self.block(indent + 1, depth, loops)
        self.put(indent + 1, f"if {self.condition()}:")
        self.put(indent + 2, f"raise Stop({self.value(0)})")
        self.block(indent + 1, depth, loops)
        self.put(indent, "except Stop:")
        self.block(indent + 1, depth, loops)

    def function(self, name: str, results: int) -> None:
        """A function, which calls no others: loops in loops of calls would take long."""
        self.put(0, f"def {name}(a, xs, o):")
        for text in ("global g" + str(self.number), "b = 2", "c = 3", "ys = [4, 5]", "p = Box(6)", "d = {1: 2}"):
            self.put(1, text)
        self.block(1, 2, 0)
        if self.random.random() < 0.4:
            self.put(1, f"if {self.condition()}:")
            self.put(2, "return " + ", ".join(self.value(0) for _ in range(results)))
        if self.random.random() < 0.4:
            self.put(1, f"g{self.number} = {self.value()}")
        self.put(1, "return " + ", ".join(self.value() for _ in range(results)))

    def program(self) -> list[str]:
        """Functions, and one that computes `result` on its last line but one."""
        self.put(0, f"g{self.number} = {self.constant()}")
        made = [(f"f{self.number}_{index}", self.random.randint(1, 2)) for index in range(self.random.randint(0, 2))]
        for name, results in made:
            self.function(name, results)
        self.functions = made
        self.put(0, f"def main{self.number}():")
        for text in ("a = 1", "b = 2", "c = 3", "xs = [1, 2, 3]", "ys = [4, 5, 6, 7]", "o = Box(8)", "p = Box(9)"):
            self.put(1, text)
        self.put(1, "d = {1: 5}")
        for _ in range(self.random.randint(2, 6)):
            self.statement(1, 2, 0)
        self.put(1, f"result = {self.value(2)}")
        self.put(1, "return result")
        return self.lines


def other_constants(lines: list[str], chosen: set[int], random: Random) -> list[str]:
    """The same program with other constants on some lines."""

    def other(_match: "re.Match[str]") -> str:
        return str(random.randint(1, 9))

    return [_CONSTANT.sub(other, line) if number in chosen else line for number, line in enumerate(lines)]
