"""Addresses as template strings: the wrong part is an expression inside one."""


def joined(template):
    return "".join(str(part) if isinstance(part, str) else format(part.value, part.format_spec) for part in template)


def address(street, number, town):
    width = len(town)
    return t"{street.title()} {number + 1}, {town.upper():>{width + 2}}"


print(joined(address("high street", 7, "Ghent")))
