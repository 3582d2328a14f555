"""Recursion with almost nothing else: the cost of a call."""


def fib(number):
    if number < 2:
        return number
    return fib(number - 1) + fib(number - 2)


def main(size):
    return fib(size)
