"""Nested data to text and back, in the manner of JSON."""


def escape(text):
    """A text with its quotes and backslashes marked."""
    if not text:
        return ""
    if text[0] in '"\\':
        return "\\" + text[0] + escape(text[1:])
    return text[0] + escape(text[1:])


def quote(text):
    """A text between quotes."""
    return '"' + escape(text) + '"'


def join(parts, between):
    """Texts with a separator between them."""
    if not parts:
        return ""
    if len(parts) == 1:
        return parts[0]
    return parts[0] + between + join(parts[1:], between)


def encode(value):
    """Any value as text; a record is a tuple that starts with '#'."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quote(value)
    if value[:1] == ("#",):
        return encode_record(value[1:])
    return encode_list(value)


def encode_list(items):
    """The items between brackets."""
    return "[" + join(tuple(encode(item) for item in items), ",") + "]"


def encode_record(pairs):
    """The fields between braces."""
    return "{" + join(tuple(encode_field(name, value) for name, value in pairs), ",") + "}"


def encode_field(name, value):
    """A name and its value."""
    return quote(name) + ":" + encode(value)


def decode(text):
    """The value that a text stands for."""
    value, rest = read(text)
    if rest:
        raise ValueError("left over: " + rest)
    return value


def read(text):
    """The value that a text starts with, and the rest."""
    if text[:4] == "null":
        return None, text[4:]
    if text[:4] == "true":
        return True, text[4:]
    if text[:5] == "false":
        return False, text[5:]
    if text[0] == '"':
        return read_string(text[1:], "")
    if text[0] == "[":
        return read_items(text[1:], ())
    if text[0] == "{":
        return read_fields(text[1:], ("#",))
    return read_number(text, "")


def read_string(text, before):
    """What comes before the closing quote."""
    if text[0] == '"':
        return before, text[1:]
    if text[0] == "\\":
        return read_string(text[2:], before + text[1])
    return read_string(text[1:], before + text[0])


def read_number(text, before):
    """The digits at the start."""
    if text and text[0] in "-0123456789":
        return read_number(text[1:], before + text[0])
    return int(before), text


def read_items(text, items):
    """The items up to the closing bracket."""
    if text[0] == "]":
        return items, text[1:]
    if text[0] == ",":
        return read_items(text[1:], items)
    item, rest = read(text)
    return read_items(rest, (*items, item))


def read_fields(text, fields):
    """The fields up to the closing brace."""
    if text[0] == "}":
        return fields, text[1:]
    if text[0] == ",":
        return read_fields(text[1:], fields)
    name, rest = read_string(text[1:], "")
    value, after = read(rest[1:])
    return read_fields(after, (*fields, (name, value)))


def same_after(value):
    """Whether a value survives being written and read."""
    return decode(encode(value)) == value


INPUTS = [
    ("encode", (1, True, None)),
    ("decode", '[12,"a",[false,-3]]'),
    ("encode", ("#", ("name", 'Ada "L"'), ("born", 1815), ("tags", ("x", "yz")))),
    ("decode", '{"id":7,"path":"c:\\\\t","on":true,"list":[1,22,{}]}'),
    ("same_after", ("#", ("a", (1, (2, (3,)))), ("b", 'q"\\'))),
    (
        "encode",
        (
            "#",
            ("menu", ("#", ("id", "file"), ("items", (("#", ("n", 1), ("v", "New")), ("#", ("n", 2), ("v", None)))))),
        ),
    ),
    ("same_after", ("#", ("rows", ((1, 20, 300), (-4, 55, 6), ())), ("note", 'say "hi"'), ("ok", (True, False, None)))),
]
