"""Tracebacks out of every kind of expression: the same lines, the same marks below them."""

import traceback
class Bad:
    def __bool__(self):
        raise ValueError("no")
    def __lt__(self, other):
        return self
def f(x):
    return 1 // x
def one(x, b):
    while f(x) + 2 > 2:
        x -= 1
    else:
        print("else")
def two(x, b):
    while x and f(x) and b:
        x -= 1
    else:
        print("else")
def three(x, b):
    while x < 2 and x + "s" or b.x.y[3]:
        x -= 1
    else:
        print("else")
def four(x, b):
    while b < b:
        x -= 1
    else:
        print("else")
def five(x, b):
    while b < b < b:
        x -= 1
    else:
        print("else")
def six(x, b):
    while b[x](x):
        x -= 1
    else:
        print("else")
def seven(x, b):
    return [y for y in [x] if y and b.x or 1], x + "s"
def eight(x, b):
    return [y + b.x for y in [x] if y < 3 if f(0) + 1]
def nine(x, b):
    return (lambda y: y + b.c[y])(x) + 1
def ten(x, b):
    with open(b.x.y) as g, open(x): pass
def eleven(x, b):
    o = {}
    o[x:b.c] += f(0)
def twelve(x, b):
    o = []
    o[x:2] += f(0) + 1
def thirteen(x, b):
    match x:
        case 1 if b and x:
            pass
def fourteen(x, b):
    match x:
        case 1 if b.s(x) + 2:
            pass
def fifteen(x, b):
    o = Bad()
    o.x.y: int = f(0)
def sixteen(x, b):
    return print(y, f(x), y + f(0)); y = 2
def seventeen(x, b):
    return (x and f(0) + 1) or b
def eighteen(x, b):
    return (b and f(0) + 1) or b
def nineteen(x, b):
    return 1 if (b and x) else 2
def t21(x, b):
    for i in b.x: pass
def t22(x, b):
    for b.x, q in [1]: pass
def t23(x, b):
    return f"{x:{b.y}} {f(0)+1!r}"
def t24(x, b):
    x = b; x += f(0) * 2
def t25(x, b):
    raise b.k from f(0)
def t26(x, b):
    return {**b, 'a': f(0)}
def t27(x, b):
    return f(*b, f(0))
def t28(x, b):
    del b.x[f(0)]
def t29(x, b):
    global zz
    zz[f(0)] = 1
def t30(x, b):
    (a, *c), d = x, b
def t31(x, b):
    return -"s", f(0)
def t32(x, b):
    while x - "s":
        pass
    else:
        pass
for g in list(globals().values()):
    if callable(g) and getattr(g, "__code__", None) and g.__code__.co_argcount == 2:
        for b in (Bad(), 0, [f]):
            try:
                g(1 if b else 0, b) if type(b) is not Bad else g(1, b)
            except Exception:
                traceback.print_exc()
print("end")
