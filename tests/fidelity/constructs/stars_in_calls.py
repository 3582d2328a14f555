"""Calls as statements whose starred arguments come before others: nothing is lost, and all is in order."""


class Kept:
    def __init__(self):
        self.data = {}

    def update(self, *args, **kwargs):
        self.data.update(*args, **kwargs)


def told(value):
    print("told", value)
    return value


def plain(d, *args, **kwargs):
    d.update(*args, **kwargs)
    return d


def several(x, *args):
    x.extend(*args, *[])
    x.append(*[told(1)], **{})
    x.insert(*(0, told(2)), **{})
    print(*args, *x, sep="-")
    return x


kept = Kept()
kept.update(zip([1, 2], map(str, [3, 4])))
kept.update([(5, 6)], a=7)
print(kept.data)
print(plain({}, zip([1], [2]), b=3), plain({"c": 1}))
print(several([], [8, 9]))
