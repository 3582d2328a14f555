"""Objects whose end can be noticed, dropped without a word: generators with locks, coroutines, files, tracebacks."""

import asyncio
import os
import socket
import sys
import tempfile
import threading
import warnings

warnings.simplefilter("always")
LOCK = threading.Lock()
PATH = os.path.join(tempfile.gettempdir(), "ends-file")


def items():
    with LOCK:
        yield 1
        yield 2


def first():
    return next(items())


def twice():
    x = next(items())
    print("between")
    y = next(items())
    return x + y


def temporary():
    file = tempfile.NamedTemporaryFile()
    return file.name


def sent():
    near, far = socket.socketpair()
    near.send(b"x")
    print(far.recv(1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they name file descriptors
        near = far = None
    return "sent"


def in_iterators():
    for number, item in enumerate(map(str, items())):
        print("once", number, item)
        break
    print(LOCK.locked())


async def agen():
    try:
        yield 1
        yield 2
    finally:
        print("agen closed")


async def use():
    async for _x in agen():
        break
    print("used")


async def never():
    pass


def forget():
    never()
    print("forgot")


class Pool:
    def __init__(self):
        self.free = 1

    def __del__(self):
        print("pool gone", self.free)


async def main():
    await use()
    await asyncio.create_task(use())
    pool = Pool()
    pool.free += 1
    pool = None
    print("no pool")


def written():
    file = open(PATH, "w")
    file.write("abc")


def failing():
    pool = Pool()
    raise ValueError(pool.free)


def caught():
    try:
        failing()
    except ValueError as error:
        print("caught", error)
    print("handled")


def shared(pools):
    pools = (pools, Pool())
    print(len(pools))


print(first(), first(), twice())
in_iterators()
print(sent())
asyncio.run(main())
forget()
written()
print(os.path.getsize(PATH))
print(os.path.exists(temporary()))
caught()
shared(())
print("shared")
method = Pool().__del__
method = None
print("no method")
for turn in range(2):
    Pool().free += turn
    print("turn", turn)
os.remove(PATH)
sys.stdout.flush()
