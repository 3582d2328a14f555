"""The program of Figure 1.1 for the lazy machine."""

from tests.slicing.lazy_machine import Expression, Program


def var(index: int) -> Expression:
    return ("var", index)


def call(name: str, *arguments: Expression) -> Expression:
    return ("call", name, *arguments)


def con(name: str, *parts: Expression) -> Expression:
    return ("con", name, *parts)


def number(value: int) -> Expression:
    return ("int", value)


X, Y = var(0), var(1)
NIL = con("[]")


def cons(head: Expression, tail: Expression) -> Expression:
    return con(":", head, tail)


PROGRAM: Program = {
    "main": (0, call("sqrtest", cons(number(1), cons(number(2), NIL)))),
    "sqrtest": (1, call("test", call("computs", call("listsum", X)))),
    "test": (1, ("case", X, {"(,,)": (3, call("and", call("==", var(1), var(2)), call("==", var(2), var(3))))})),
    "listsum": (1, ("case", X, {"[]": (0, number(0)), ":": (2, call("+", var(1), call("listsum", var(2))))})),
    "computs": (1, con("(,,)", call("comput1", X), call("comput2", X), call("comput3", X))),
    "comput1": (1, call("square", X)),
    "square": (1, call("*", X, X)),
    "comput2": (1, call("listsum", call("list", X, X))),
    "list": (2, ("case", Y, {"0": (0, NIL), "_": (0, cons(X, call("list", X, call("-", Y, number(1)))))})),
    "comput3": (1, call("listsum", call("partialsums", X))),
    "partialsums": (1, cons(call("sum1", X), cons(call("sum2", X), NIL))),
    "sum1": (1, call("div", call("*", X, call("incr", X)), number(2))),
    "sum2": (1, call("div", call("+", X, call("decr", X)), number(2))),
    "incr": (1, call("+", X, number(1))),
    "decr": (1, call("-", X, number(1))),
    "and": (2, ("case", X, {"True": (0, Y), "False": (0, con("False"))})),
}

TRUSTED = frozenset({"and"})
