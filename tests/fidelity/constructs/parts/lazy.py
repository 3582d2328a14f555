"""Loaded while `open` is a mock."""


def read(path):
    with open(path) as file:
        return file.read()
