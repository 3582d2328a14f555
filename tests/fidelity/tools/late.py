"""Imported while the file system is another one."""


def double(number):
    return 2 * number
