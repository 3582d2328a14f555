"""Tracebacks from objects that do not tell whether they are true."""

import traceback
class Bad:
    def __bool__(self):
        raise ValueError("no")
    def __lt__(self, other):
        return self
def a1(b, x):
    if b and x:
        pass
def a2(b, x):
    if x and b:
        pass
def a3(b, x):
    if not b:
        pass
def a4(b, x):
    if x < 0 or b < x:
        pass
def a5(b, x):
    if x < 2 < b < x:
        pass
def a6(b, x):
    while b:
        pass
def a7(b, x):
    while x and b:
        pass
def a8(b, x):
    while b:
        pass
    else:
        pass
def a9(b, x):
    while x and b:
        pass
    else:
        pass
def a10(b, x):
    assert b
def a11(b, x):
    assert x and b, "s"
def a12(b, x):
    return 1 if b else 2
def a13(b, x):
    return (1 if x and b else 2) + 1
def a14(b, x):
    return x and b and 3
def a15(b, x):
    return [y for y in [1] if x and b]
def a16(b, x):
    return [y for y in [1] if b]
def a17(b, x):
    match x:
        case 1 if b:
            pass
def a18(b, x):
    match x:
        case 1 if x and b:
            pass
def a19(b, x):
    return not b
def a20(b, x):
    return not (x and b), 2
def a21(b, x):
    if x.foo:
        pass
def a22(b, x):
    if x: pass
    elif b: pass
def a23(b, x):
    x = 0
    if x: pass
    elif not (x or b): pass
def a24(b, x):
    return x < b < x < 3
def a25(b, x):
    x = b < x < 3 or x
def a26(b, x):
    while x + 1 < (
        b < b < b
    ):
        pass
    else:
        pass
def a27(b, x):
    while (x and
        b):
        pass
    else:
        pass
def a28(b, x):
    if (x and
        b):
        pass
def a29(b, x):
    print(x if b or x else b, b)
def a31(b, x):
    while x.foo.bar(1) and b:
        pass
    else:
        pass
def a32(b, x):
    while x and x.foo.bar(1) + 1:
        pass
    else:
        pass
for g in list(globals().values()):
    if callable(g) and getattr(g, "__code__", None) and g.__code__.co_argcount == 2:
            try:
                g(Bad(), 1)
            except Exception:
                traceback.print_exc()
print("end")
