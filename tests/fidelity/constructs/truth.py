"""How often the truth of an object is asked for, in values and in conditions."""


class Truth:
    def __init__(self, name, value):
        self.name, self.value = name, value

    def __bool__(self):
        print("bool", self.name)
        return self.value

    def __repr__(self):
        return self.name

    def __lt__(self, other):
        return Truth(f"{self}<{other}", self.value and other.value)


T, F, U, G = Truth("T", True), Truth("F", False), Truth("U", True), Truth("G", False)


def values(a, b, c):
    print("1", (a and b) or c)
    print("2", (a or b) and c)
    print("3", (a and b) and c)
    print("4", (a or b) or c)
    print("5", a or (b and c))
    print("6", not (a and b))
    print("7", not (a and b) or c)
    print("8", (a and b) or (b and c) or a)
    print("9", ((a or b) and c) or b)
    print("10", a < b < c)
    print("11", a < b < c or b)
    print("12", (a if b else c) or b)
    print("13", (a and b if b or c else c) or b)
    print("14", (not a and b) or c)
    print("15", [1, (a and b) or c])
    x = (a and b) or c
    y = x and (a or b) and (b or c)
    print("17", not (not a or b) and c)
    return ((a and b) or c) and (a or b)


def conditions(a, b, c):
    if (a and b) or c:
        print("1")
    if not (a and b):
        print("2")
    if a < b < c:
        print("3")
    if not a < b < c or b:
        print("4")
    if (a if b and c else c) or (b and c):
        print("5")
    print("6" if (a and b) or c else "no")
    print(f"{'7' if a and b else 'no'} {'x' if a < b < c else 'y'} {(a and b) or c}")
    n = 0
    while (a and b or c) and n < 2:
        n += 1
    while (a or b) and n < 4:
        n += 1
    else:
        print("else")
    while a < b < c and n < 6:
        n += 1
    else:
        print("else")
    assert a or b or not c and T, (a and b) or c
    match n:
        case 2 if a and b or c:
            print("8")
        case _ if a < b < c:
            print("9")
        case _ if not (a or b):
            print("10")


def inline(a, b, c):
    print([x for x in (a, b, c) if x and a])
    print([x for x in (a, b, c) if (x or a) and b])
    print([x for x in (a, b, c) if not (x and a) or b])
    print([x for x in (a, b, c) if x < a < b])
    print([x and a or b for x in (a, b, c)])
    print([(x and a) or (a and b) for x in (a, b, c)])
    print([1 if x and a or b else 2 for x in (a, b, c)])
    print([1 if not x < a < b else 2 for x in (a, b, c)])
    print({(x or a): 1 for x in (a, b, c) if x or a})
    print(list(1 for x in (a, b, c) if x if a and b))
    print((lambda: (a and b) or c)())
    print((lambda: 1 if a and b else c)())
    print((lambda: not (a and b))())
    print(*[a], (a and b) or c, 1 if a and b else 2)
    print([x for x in (a, b, c) if (y := x and a) or b])
    print([x for x in (a, b, c) if (a and b if x and c else b or c)])
    print([all((x and a, b or c)) for x in (a, b, c)])


for a in (T, F):
    for b in (U, G):
        for c in (T, G):
            print("--", a, b, c)
            for what in (values, conditions, inline):
                try:
                    print(what(a, b, c))
                except AssertionError as error:
                    print("assert", error)
