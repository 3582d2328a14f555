"""Random programs that log what they can notice: ends of objects, of generators, coroutines, files, threads and tasks.

A program is a module with a function `main`; many are run by one process (`inside/lives.py`).
"""

import random
from collections.abc import Callable

PRELUDE = '''
import asyncio, gc, os, sys, tempfile, threading, weakref

LOG = []
LOCK = threading.Lock()
PATH = os.path.join(tempfile.gettempdir(), "lives-" + __name__)


def log(*what):
    LOG.append(" ".join(map(str, what)))


class Fin:
    def __init__(self, number):
        self.number, self.child, self.items = number, None, []

    def touch(self):
        self.number += 1
        return self.number

    def self_(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        log("exit", self.number)

    def __del__(self):
        log("del", self.number)


class Slim:
    __slots__ = ("number", "child")

    def __init__(self, number):
        self.number, self.child = number, None

    touch = Fin.touch
    __enter__, __exit__ = Fin.__enter__, Fin.__exit__

    def __del__(self):
        log("slim", self.number)


class Plain:
    def __init__(self, number):
        self.number, self.child = number, None
        weakref.finalize(self, log, "plain", number)

    touch = Fin.touch
    __enter__, __exit__ = Fin.__enter__, Fin.__exit__


class Held:
    """Nothing about itself can be noticed."""

    def __init__(self, number):
        self.number, self.child = number, Fin(number + 50)

    touch = Fin.touch
    __enter__, __exit__ = Fin.__enter__, Fin.__exit__


def gen(number):
    try:
        yield number
        yield number + 1
    finally:
        log("gen", number)


def locked(number):
    with LOCK:
        yield number
        yield number


def fail(number, thing):
    thing.touch()
    kept = [thing]
    raise ValueError(number)


def passed(thing):
    return thing


async def agen(number):
    try:
        yield number
        yield number
    finally:
        log("agen", number)


async def work(number, thing):
    thing.touch()
    await asyncio.sleep(0)
    log("work", number)
    return thing


def written(number):
    file = open(PATH, "w")
    file.write("x" * number)
    return number


def warm():
    """Objects of a class that leads to others are noticed from the second one on."""
    held, plain = Held(1), Plain(2)
    gc.collect()
    held.touch(), plain.touch()
    gc.collect()
    held = plain = None
    gc.collect()


def size():
    return os.path.getsize(PATH) if os.path.exists(PATH) else -1
'''

CLASSES = ("Fin", "Slim", "Plain", "Held")
NAMES = ("a", "b", "c")


class Program:
    """Writes one program, by the numbers of a generator."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._number = 0
        self._functions: list[str] = []

    def text(self) -> str:
        """The source of the program."""
        for index in range(self._dice.randrange(1, 4)):
            body = self._block(1, 2 + self._dice.randrange(5))
            parameter = self._dice.choice(NAMES)
            back = self._dice.choice(NAMES)
            others = [f"    {name} = None" for name in NAMES if name != parameter]
            self._functions.append("\n".join([f"def f{index}({parameter}):", *others, *body, f"    return {back}"]))
        main = [
            "def main():",
            "    warm()",
            *(f"    {name} = None" for name in NAMES),
            *self._block(1, 5 + self._dice.randrange(8)),
        ]
        return "\n\n\n".join([PRELUDE.strip(), *self._functions, "\n".join(main)]) + "\n"

    def _new(self) -> int:
        self._number += 1
        return self._number * 100

    def _made(self) -> str:
        return f"{self._dice.choice(CLASSES)}({self._new()})"

    def _name(self) -> str:
        return self._dice.choice(NAMES)

    def _block(self, depth: int, count: int) -> list[str]:
        space = "    " * depth
        return [space + line for _ in range(count) for line in self._statement(depth)]

    def _statement(self, depth: int) -> list[str]:
        kinds: list[Callable[[], list[str]]] = [
            *[self._bind] * 3, *[self._drop] * 2, *[self._use] * 2,
            self._hang, self._generator, self._watch, self._raise, self._call, self._collect,
            self._file, self._closure, self._mark, self._task, self._thread, self._container,
        ]  # fmt: skip
        if depth < 3:
            kinds += [lambda: self._nested(depth)] * 3
        return self._dice.choice(kinds)()

    def _bind(self) -> list[str]:
        return [f"{self._name()} = {self._made()}"]

    def _drop(self) -> list[str]:
        name = self._name()
        return [self._dice.choice([f"{name} = None", f"{name} = {self._name()}", f"del {name}; {name} = None"])]

    def _use(self) -> list[str]:
        name = self._name()
        return [f"if hasattr({name}, 'touch'):", f"    log('touched', {name}.touch())"]

    def _hang(self) -> list[str]:
        name, child = self._name(), self._name()
        return [f"if hasattr({name}, 'child'):", f"    {name}.child = {self._dice.choice([child, self._made()])}"]

    def _generator(self) -> list[str]:
        number = self._new()
        return self._dice.choice(
            [
                [f"{self._name()} = gen({number})"],
                [f"x = next(gen({number}))", "log('next', x)"],
                [f"x = next(locked({number}))", "log('locked', LOCK.locked())"],
                [f"for x in gen({number}):", "    log('item', x)", "    break"],
                [f"x = sum(gen({number}))", "log(x)"],
                [f"g = gen({number})", "next(g)", "g.close()", "g = None"],
            ]
        )

    def _watch(self) -> list[str]:
        name = self._name()
        return [f"if isinstance({name}, (Fin, Plain)):", f"    w = weakref.ref({name})", f"    {name} = None",
                "    log('dead', w() is None)"]  # fmt: skip

    def _raise(self) -> list[str]:
        return [
            "try:",
            f"    fail({self._new()}, {self._made()})",
            "except ValueError as error:",
            "    log('caught', error)",
        ]

    def _call(self) -> list[str]:
        if not self._functions:
            return self._mark()
        function = f"f{self._dice.randrange(len(self._functions))}"
        argument = self._dice.choice([self._made(), self._name(), f"gen({self._new()})", "None"])
        return self._dice.choice([[f"{function}({argument})"], [f"{self._name()} = {function}({argument})"]])

    def _collect(self) -> list[str]:
        name = self._name()
        return [f"if hasattr({name}, 'child'):", f"    {name}.child = {name}", f"{name} = None", "gc.collect()"]

    def _file(self) -> list[str]:
        return [f"written({self._new() % 977})", "log('size', size())"]

    def _closure(self) -> list[str]:
        name = self._name()
        return [f"{name} = (lambda held={self._made()}: held)"]

    def _mark(self) -> list[str]:
        return [f"log('mark', {self._new()})"]

    def _task(self) -> list[str]:
        number = self._new()
        return self._dice.choice(
            [
                [f"asyncio.run(work({number}, {self._made()}))"],
                [f"{self._name()} = asyncio.run(work({number}, {self._made()}))"],
                [f"w = work({number}, {self._made()})", "w.close()", "w = None"],
            ]
        )

    def _thread(self) -> list[str]:
        return [f"t = threading.Thread(target=passed, args=({self._made()},))", "t.start()", "t.join()", "t = None"]

    def _container(self) -> list[str]:
        name = self._name()
        made = self._dice.choice([f"[{self._made()}]", f"{{1: {self._made()}}}", f"({self._made()}, 1)"])
        return self._dice.choice([[f"{name} = {made}"], [f"x = {made}", "passed(x)", "x = None", "passed(1)"]])

    def _nested(self, depth: int) -> list[str]:
        inner = [line[4 * depth :] for line in self._block(depth + 1, 1 + self._dice.randrange(3))]
        head = self._dice.choice(
            [f"for turn in range({self._dice.randrange(1, 4)}):", f"with {self._made()}:", "if LOG:", "try:"]
        )
        return [head, *inner, *(["finally:", "    log('finally')"] if head == "try:" else [])]
