"""Replaces builtins and functions of the standard library: nobody but the program calls what it has put there."""

import ast
import builtins
import collections
import contextlib
import copy
import enum
import fnmatch
import functools
import gc
import hashlib
import importlib
import io
import itertools
import json
import marshal
import operator
import os
import os.path
import re
import signal
import struct
import sys
import threading
import time
import tokenize
import types
import warnings
import weakref
import zlib
from unittest import mock

import _thread

MODULES = [
    *(builtins, ast, collections, contextlib, copy, enum, fnmatch, functools, gc, hashlib, io, itertools, json),
    *(json.encoder, json.decoder, marshal, operator, os, os.path, re, signal, struct, threading, _thread, time),
    *(tokenize, types, warnings, weakref, zlib, sys, importlib),
]
KEPT = {
    "builtins": {"__import__", "__build_class__", "print"},
    "sys": {"displayhook", "excepthook", "unraisablehook", "exit"},
    "importlib": {"_bootstrap", "_bootstrap_external"},
}
counts = collections.Counter()


class Spy:
    """Counts the calls of a function, which goes on to do what it did."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, *args, **kwargs):
        counts[self.name] += 1
        return self.function(*args, **kwargs)


class Failing:
    """Stands for a function that does not work any more."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *_args, **_kwargs):
        raise RuntimeError(f"{self.name} was called")


def functions(module):
    plain = (types.FunctionType, types.BuiltinFunctionType)
    kept = KEPT.get(module.__name__, ())
    return [name for name, found in sorted(vars(module).items()) if type(found) in plain and name not in kept]


class Account:
    def __init__(self, owner):
        self.owner, self.entries, self.total = owner, [], 0

    def book(self, amount):
        self.entries.append(amount)
        self.total += amount
        return self


def work(rounds):
    """Enough records for the tape to be written several times."""
    accounts = {}
    for number in range(rounds):
        name = "abc"[number % 3]
        account = accounts.get(name)
        if account is None:
            account = accounts[name] = Account(name)
        account.book(number)
        account.entries[-1:] = [number, -number]
        del account.entries[:-10]  # a slice is recorded with the whole list, which would take most of the time
    try:
        accounts["d"].book(1)
    except KeyError as error:
        accounts["missing"] = error.args
    text = ", ".join([f"{name}: {account.total}" for name, account in accounts.items() if name != "missing"])
    return text, {key: value for key, value in accounts.items() if key == "missing"}


def load(name):
    return importlib.import_module(name)


def replaced(module, make, task):
    """Run something while all functions of a module are others; then put them back, whatever happens."""
    names = functions(module)
    saved = {name: vars(module)[name] for name in names}
    space = vars(module)
    spies = {name: make(f"{module.__name__}.{name}", saved[name]) for name in names}
    space.update(spies)
    try:
        return task()
    finally:
        space.update(saved)


for module in MODULES:
    print(module.__name__, replaced(module, Spy, lambda: work(50)))
print(sorted(counts.items()))

counts.clear()
every = [(module, name) for module in MODULES for name in functions(module)]
saved = [vars(module)[name] for module, name in every]
for module, name in every:
    vars(module)[name] = Spy(f"{module.__name__}.{name}", vars(module)[name])
try:
    done = work(20_000)
finally:
    for number in range(len(every)):
        vars(every[number][0])[every[number][1]] = saved[number]
print(done, sorted(counts.items()))
print([(module.__name__, name) for module, name in every])

for module in (json, struct, zlib, time, threading, _thread, os.path, marshal, hashlib, tokenize, ast, weakref, gc):
    found = replaced(module, lambda name, _function: Failing(name), lambda: work(3_000))
    print(module.__name__, found)

with mock.patch("builtins.open", mock.mock_open(read_data="text")) as opened:
    lazy = load("parts.lazy")
    print(lazy.read("somewhere"), opened.call_count, opened.call_args_list)
with mock.patch("os.getpid", return_value=1), mock.patch("time.monotonic", side_effect=[1.5, 2.5]):
    print(os.getpid(), time.monotonic(), work(5_000), time.monotonic())
with mock.patch("threading.get_ident", return_value=5), mock.patch("threading.current_thread", return_value=None):
    print(threading.get_ident(), work(5_000))
with mock.patch.dict(sys.modules, {"json": None, "zlib": None, "os": None, "collections": None}):
    print(work(5_000))
with mock.patch.object(sys, "modules", dict(sys.modules)):
    print(work(5_000))
with mock.patch("os.fspath", side_effect=OSError("no")), mock.patch("posixpath.join", side_effect=OSError("no")):
    print(work(5_000))
