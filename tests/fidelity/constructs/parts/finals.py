"""Statements that leave a `finally`, of which 3.14 warns (PEP 765)."""


def returns():
    try:
        return "tried"
    finally:
        return "final"


def breaks():
    for n in range(3):
        try:
            1 / 0
        finally:
            break
    return n


def continues():
    seen = []
    for n in range(3):
        try:
            seen.append(1 / n)
        finally:
            seen.append(n)
            continue
    return seen


def inside():
    try:
        1 / 1
    finally:
        def harmless():
            return "harmless"
        for n in range(2):
            if n:
                break
    return harmless(), n


x = 1 is 1
print(returns(), breaks(), continues(), inside())
