print("quiet is imported")
lazy from . import loud
lazy from .loud import double as twice, value


def use():
    print("use")
    return twice(value)
