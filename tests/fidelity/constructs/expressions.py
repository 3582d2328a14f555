"""Every kind of expression, with the order in which its parts are evaluated."""


def say(value, label=None):
    print("  says", repr(value) if label is None else label)
    return value


class Noisy:
    """Tells of every operation on it, so that one too many or too few shows."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"<{self.name}>"

    def tell(self, operation, *others):
        print("  op", operation, self, *others)
        return Noisy(f"{self.name}{operation}")

    def __add__(self, other):
        return self.tell("+", other)

    def __radd__(self, other):
        return self.tell("r+", other)

    def __iadd__(self, other):
        self.tell("+=", other)
        return self

    def __matmul__(self, other):
        return self.tell("@", other)

    def __neg__(self):
        return self.tell("-")

    def __invert__(self):
        return self.tell("~")

    def __lt__(self, other):
        return self.tell("<", other)

    def __eq__(self, other):
        print("  op ==", self, other)
        return True

    def __hash__(self):
        print("  op hash", self)
        return 7

    def __bool__(self):
        print("  op bool", self)
        return len(self.name) % 2 == 0

    def __contains__(self, item):
        print("  op in", self, item)
        return item == 1

    def __getitem__(self, key):
        return self.tell("[]", key)

    def __setitem__(self, key, value):
        self.tell("[]=", key, value)

    def __delitem__(self, key):
        self.tell("del[]", key)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.tell(".", name)

    def __call__(self, *args, **options):
        return self.tell("()", args, options)

    def __iter__(self):
        print("  op iter", self)
        return iter([1, 2, 3])

    def __len__(self):
        print("  op len", self)
        return 3

    def __format__(self, spec):
        print("  op format", self, repr(spec))
        return f"{self.name}:{spec}"

    def __index__(self):
        print("  op index", self)
        return 1


def operators():
    print("operators")
    a, b, c = Noisy("a"), Noisy("b"), Noisy("cc")
    print(a + b, 1 + a, a @ b, -a, ~a, not a, not c)
    print(say(2) + say(3) * say(4) - -say(5) ** say(2), 7 // 2, -7 // 2, -7 % 3, 1 << 4 | 3 & 2 ^ 1)
    print(a < b, say(1) < say(2) < say(2) < say(9), say(1) < say(0) < say(9))
    print(1 in a, 2 not in a, a is a, a is not b, None is None, ... is Ellipsis)
    a += b
    print(a, a.name)
    print(1_000, 0x1F, 0b11, 1e3, 2j * 2j, b"by" b"tes", "con" "cat", r"\raw", "\N{BULLET}")


def short_circuits():
    print("short circuits")
    print(say(0) or say("") or say([]) or say("last") or say("never"))
    print(say(1) and say(2) and say(0) and say(3))
    print(say(1) if say(0) else say(2), (say(0) or say(5)) and say(6))
    print(Noisy("odd") or say("other"), Noisy("even") and say("other"))
    print(not (say(1) and not say(0)), [x for x in range(6) if x % 2 and x % 3 or x == 4])
    if say(0) or (say(1) and not say(0)):
        print("taken")
    while say(0) and say(1):
        print("never")
    assert say(1) or say(2), say("no message wanted")


def calls():
    print("calls")

    def show(*args, **options):
        print("  got", args, options)
        return show

    show(say(1), *say([2, 3]), say(4), *say((5,)), k=say(6), **say({"m": 7}), n=say(8))
    show()(*"ab")(**{"x": 1}, **{"y": 2})
    say(show, "callee")(say(1, "argument"), key=say(2, "keyword"))
    print(max(say([3, 1, 2]), key=lambda item: -item), sorted(say({2: "b", 1: "a"}).items(), reverse=True))
    print((lambda x, /, y=2, *rest, z=3, **more: (x, y, rest, z, more))(1, 4, 5, z=6, w=7))
    print(Noisy("callable")(1, two=2), Noisy("deep").one.two[3])
    for wrong in ("show(**{'a': 1}, **{'a': 2})", "(lambda x: x)()", "(lambda: 0)(1)", "show(**{1: 2})", "len(5)"):
        try:
            eval(wrong, {"show": show})
        except TypeError as error:
            print("  TypeError:", error)


def displays():
    print("displays")
    print([say(1), *say([2]), say(3)], (say(1), *say("xy")), {say(1), *say([1])})
    print({say("k", "key"): say("v", "value"), **say({"k": 2}), say("m"): say("n")})
    print({Noisy("key"): 1, Noisy("same"): 2})
    print([], (), {}, set(), (1,), [[]], {"a": {"b": [1, (2, {3})]}})


def comprehensions():
    print("comprehensions")
    print([x * y for x in say([1, 2]) for y in say([10, 20]) if say(x != y)])
    print({x: y for x, y in zip("abc", range(3), strict=True) if y}, {x % 3 for x in range(9)})
    print(list(x for x in Noisy("iterated")), sum(x for x in (1, 2)), [[y for y in range(x)] for x in range(3)])
    print([last := x for x in range(3)], last, any((hit := x) > 1 for x in range(5)), hit)
    x = "kept"
    print([x for x in range(2)], x, [lambda: x for x in range(3)][0](), [(lambda x=x: x)() for x in range(3)])
    print([*(a for a in "ab"), *[b for b in "cd"]], dict((k, v) for k, v in [(1, 2)]))


def formatted():
    print("formatted strings")
    width, value, noisy = 8, 3.14159, Noisy("n")
    print(f"{value:{width}.3f}|{value!r:>{width + 4}}|{noisy}|{noisy!s}|{noisy!r:<6}|{noisy:spec}|{{}}")
    print(f"{value=} {value = :.1f} {say(1)}{say(2):03d}" f"{'nested ' + f'{width}'}" "{plain}")
    print(f"{[x for x in range(3)]} {(lambda: 5)()} {width if width else 0} {'q' * 2!r}", f"""{
        width
    } on several lines""")
    print("%s %r %(a)s" % {"a": 1} if False else "%d%%" % 5, "{} {a!r}".format(1, a="x"))


def subscripts():
    print("subscripts")
    items = list(range(10))
    print(items[say(1) : say(8) : say(2)], items[::-1][:3], items[-1], items[Noisy("i")], items[:], "text"[1:-1])
    print(Noisy("m")[1, 2:3, ...], Noisy("n")[say(1)], {(1, 2): "t"}[1, 2])
    noisy = Noisy("o")
    noisy[say("key")] = say("value")
    noisy[say("key2")] += say("value2")
    del noisy[say("key3")], items[2:4], items[0]
    items[1:3] = say(["new"])
    items[len(items) :] = [1, 2]
    print(items)


def assignments():
    print("assignments")
    a = b = c = say([1])
    print(a is b is c)
    (a, (b, *c)), d = say(((1, (2, 3, 4)), 5))
    print(a, b, c, d)
    [first, *middle, last] = Noisy("three")
    print(first, middle, last)
    target = {}
    target[say("one")], target[say("two")] = say(1), say(2)
    i, data = 0, [0, 0, 0]
    i, data[i] = 1, 9
    print(target, data)
    data[say(0, "index")] += say(1, "amount")
    data[-1] -= 1
    a, b = b, a
    holder = Noisy("holder")
    holder.field = say("stored")
    print(holder.field, data, a, b)
    annotated: say("local annotations are not evaluated") = 5
    bare: int
    print(annotated, "bare" in locals())
    if (n := len(data)) > 2 and (m := n * 2):
        print(n, m)
    x = 1
    x <<= 3
    x |= 1
    x **= 2
    x //= 2
    print(x)
    for data[0], (i, target["loop"]) in [(5, (6, 7)), (8, (9, 10))]:
        print(data, i, target)
    for wrong in ("a, b = 1", "a, b = 1, 2, 3", "a, *b = ()", "x.y = 1", "x[0] = 1"):
        try:
            exec(wrong, {"x": 5})
        except (TypeError, ValueError, AttributeError) as error:
            print(" ", type(error).__name__, error)


def identities():
    print("identities")
    first, second = (1, 2), [1, 2]

    def same(value):
        return value

    print(same(first) is first, same(second) is second, (0, first)[1] is first, [second][0] is second)
    print("a" is "a", () is (), None is same(None), True is (1 == 1))
    big = 10**20
    print(same(big) is big, {**{"k": second}}["k"] is second, (second if first else first) is second)


for part in (
    operators,
    short_circuits,
    calls,
    displays,
    comprehensions,
    formatted,
    subscripts,
    assignments,
    identities,
):
    part()
