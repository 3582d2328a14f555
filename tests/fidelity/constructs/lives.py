"""Objects that do something when they die: files without `with`, classes with `__del__`, weak references."""

import os
import tempfile
import weakref

FOLDER = tempfile.mkdtemp()
PATH = os.path.join(FOLDER, "file")


def write(text):
    open(PATH, "w").write(text)


def read():
    return open(PATH).read()


def last_line():
    for line in open(PATH):
        last = line
    return last


class Loud:
    def __init__(self, number):
        self.number = number

    def __del__(self):
        print("gone:", self.number)


class Plain:
    pass


def two():
    first = Loud(1)
    second = Loud(2)
    return first.number + second.number


def replaced():
    loud = Loud(3)
    loud = Loud(4)
    print("replaced")
    del loud
    print("deleted")


write("one\ntwo\n")
print(repr(read()), last_line())
open(PATH, "w").write("three\n")
print(repr(open(PATH).read()))
total = two()
print(total)
replaced()
loud = Loud(5)
loud = None
print("none")
plain = Plain()
weak = weakref.ref(plain)
print(weak() is plain)
del plain
print(weak())
os.remove(PATH)
os.rmdir(FOLDER)
kept = Loud(6)
