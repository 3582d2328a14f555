"""Loops inside `with` that are left in every way; managers see the same exception, traceback and line of their caller."""

import asyncio
import sys
import traceback


class Manager:
    def __init__(self, calm):
        self.calm = calm

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        lines = [(frame.name, frame.lineno, frame.line) for frame in traceback.extract_tb(trace)]
        print("exit", kind, error, lines, sys._getframe(1).f_lineno, sys.exc_info()[1] is error)
        if error is not None:
            print(error.__context__, error.__cause__, error.__traceback__ is trace)
        return self.calm

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        return self.__exit__(kind, error, trace)


def fails(number):
    if number == 2:
        raise ValueError(number)
    return number


def by_exception(calm):
    total = 0
    with Manager(calm):
        for number in range(5):
            total += fails(number)
    return total


def by_return():
    with Manager(False):
        while True:
            for number in range(3):
                if number == 1:
                    return number


def by_break_and_continue():
    for number in range(4):
        with Manager(True), Manager(False):
            for inner in range(2):
                if number == 1:
                    break
            if number == 2:
                continue
            if number == 3:
                break
            fails(number + inner + 1)
    return number


def generator():
    with Manager(False):
        for number in range(3):
            yield number


def nested():
    try:
        with Manager(False):
            for _ in range(2):
                with Manager(False):
                    while True:
                        fails(2)
    except ValueError as error:
        return [line for _, line in traceback.walk_tb(error.__traceback__)]


async def waiting():
    async with Manager(True):
        for number in range(3):
            await asyncio.sleep(0)
            fails(number)
    return "waited"


print(by_exception(True))
try:
    by_exception(False)
except ValueError:
    traceback.print_exc(file=sys.stdout)
print(by_return(), by_break_and_continue())
steps = generator()
print(next(steps))
steps.close()
steps = generator()
next(steps)
try:
    steps.throw(KeyError("thrown"))
except KeyError as error:
    print(repr(error))
print(nested())
print(asyncio.run(waiting()))
