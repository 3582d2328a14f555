"""Bodies of modules and classes that look at their own names, with comprehensions that use the same ones."""

import sys

x, k = 5, "kept"
squares = [x * x for x in range(3)]
print(sorted(name for name in dir() if not name.startswith("__")), x)
print({k: v for k, v in {"a": 1}.items()}, "k" in locals(), "x" in vars(), k, x)


class Body:
    x = 1
    pairs = [(x, y) for x in range(2) for y in "ab"]
    print(sorted(name for name in locals() if not name.startswith("__")), x)
    seen = sorted(name for name in sys._getframe().f_locals if not name.startswith("__"))
    exec("made = x + 1")
    print(seen, made, x, pairs)

    class Inner:
        y = {x for x in range(2)}
        print(sorted(name for name in dir() if not name.startswith("__")), y)


def function(x):
    class Local:
        x = 2
        ys = [x for x in range(3)]
        print(sorted(name for name in locals() if not name.startswith("__")), x, ys)

    return [x for x in range(2)], x, Local.x


print(function(7), Body.__dict__.get("x"), x, k)
