"""A small imperative language, interpreted: statements are tuples, a store is a tuple of (name, value) pairs."""

GCD = (
    ("while", ("!=", "b", 0), (("set", "t", ("%", "a", "b")), ("set", "a", "b"), ("set", "b", "t"))),
    ("print", "a"),
)
COLLATZ = (
    ("set", "steps", 0),
    (
        "while",
        ("!=", "n", 1),
        (
            ("if", ("=", ("%", "n", 2), 0), (("set", "n", ("/", "n", 2)),), (("set", "n", ("+", ("*", 3, "n"), 1)),)),
            ("set", "steps", ("+", "steps", 1)),
        ),
    ),
    ("print", "steps"),
)
SQUARES = (
    ("set", "i", 1),
    (
        "while",
        ("<", "i", ("+", "n", 1)),
        (("if", ("=", ("%", "i", 2), 1), (("print", ("*", "i", "i")),), ()), ("set", "i", ("+", "i", 1))),
    ),
)


def read(store, name):
    """The value of a variable, 0 if it was never set."""
    if not store:
        return 0
    if store[0][0] == name:
        return store[0][1]
    return read(store[1:], name)


def write(store, name, value):
    """The store after an assignment."""
    if not store:
        return ((name, value),)
    if store[0][0] == name:
        return ((name, value), *store[1:])
    return (store[0], *write(store[1:], name, value))


def operate(sign, left, right):
    """The value of one operation."""
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    if sign == "/":
        return left // right
    if sign == "%":
        return left % right
    return compare(sign, left, right)


def compare(sign, left, right):
    """1 if a comparison holds, otherwise 0."""
    if sign == "<":
        return 1 if left < right else 0
    if sign == "=":
        return 1 if left == right else 0
    return 1 if left != right else 0


def evaluate(expression, store):
    """The value of an expression: a number, a name or an operation."""
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return read(store, expression)
    sign, left, right = expression
    return operate(sign, evaluate(left, store), evaluate(right, store))


def execute(statement, store, printed):
    """The store and what was printed after a statement."""
    kind = statement[0]
    if kind == "set":
        return write(store, statement[1], evaluate(statement[2], store)), printed
    if kind == "print":
        return store, (*printed, evaluate(statement[1], store))
    if kind == "if":
        taken = statement[2] if evaluate(statement[1], store) else statement[3]
        return execute_all(taken, store, printed)
    return repeat(statement[1], statement[2], store, printed)


def repeat(condition, body, store, printed):
    """A loop."""
    if not evaluate(condition, store):
        return store, printed
    after, output = execute_all(body, store, printed)
    return repeat(condition, body, after, output)


def execute_all(statements, store, printed):
    """Statements one after the other."""
    if not statements:
        return store, printed
    after, output = execute(statements[0], store, printed)
    return execute_all(statements[1:], after, output)


def output(program, store):
    """What a program prints."""
    return execute_all(program, store, ())[1]


INPUTS = [
    ("output", GCD, (("a", 12), ("b", 18))),
    ("output", COLLATZ, (("n", 6),)),
    ("output", SQUARES, (("n", 5),)),
    ("output", COLLATZ, (("n", 9),)),
    ("output", SQUARES, (("n", 12),)),
]
