"""The contract between recorder and reader: every number, tag and record kind that a recording file contains.

The recorder imports it isolated, as `adebug_recorder.contract`; the reader imports it as a module of adebug, which may
run on another version of Python. `native/contract.h` and the tables of `docs/reference/recording.md` are generated from
it by `make docs`. Standard library only, and importing it has no side effects.

The classes are written out: a `NamedTuple` has functions of the program's `collections`, which a program may replace.
"""

# The file

MAGIC = b"ADEBUGRC"
VERSION = 2
"""Version of the file format. A reader refuses any other."""
HEADER_FORMAT = "<8sI"
"""Magic and version, for `struct`."""
SEGMENT_FORMAT = "<4sIQQ"
"""Tag, CRC-32 of tag, lengths and stored bytes, raw length, stored length, for `struct`."""
MOST_RAW = 1 << 33
"""Upper bound on the bytes of a segment before compression, so that a forged file cannot exhaust a reader's memory."""

META, MODULE, VALUES, TAPE, IMAGES, END = b"META", b"MODL", b"VALS", b"TAPE", b"IMGS", b"END."

SEGMENTS = {
    META: "JSON object: facts about the run; always the first segment",
    MODULE: "JSON object: the static facts of a module, before any record that uses its markers",
    VALUES: "new values",
    TAPE: "words of one thread",
    IMAGES: "late images, which describe objects at the end of everything before them",
    END: "JSON object: how the run ended",
}
"""Every segment, by its tag."""

CELL = "In["
"""The first characters of the path of a notebook's cell, which is no file."""

# Words: markers and values

FIRST_OF_MODULES = 64
"""The first marker that a module explains; those below are fixed."""
FIRST_VALUE = 1 << 24
"""The first number of a value. A word below it is a marker."""
LAST_VALUE = (1 << 32) - 1

SINGLES = (None, False, True, Ellipsis, NotImplemented)
SMALLEST_INT, LARGEST_INT = -5, 256
"""The ints that CPython 3.10 to 3.14 preallocate (`_PY_NSMALLNEGINTS` and `_PY_NSMALLPOSINTS` in
Include/internal/pycore_global_objects.h): they have the same number in every recording, whatever a version has."""
PREDEFINED = (*SINGLES, *range(SMALLEST_INT, LARGEST_INT + 1), "", *map(chr, range(128)))
"""The first values of every recording, numbered from FIRST_VALUE on."""
NONE, FALSE, TRUE = range(FIRST_VALUE, FIRST_VALUE + 3)
UNBOUND = FIRST_VALUE + 3
"""The number of `...`, which stands for a variable of an enclosing function that has no value yet."""
ZERO = FIRST_VALUE + len(SINGLES) - SMALLEST_INT
"""The number of the int 0."""

WORD_MARKER, WORD_NONE, WORD_BOOL, WORD_INT, WORD_FLOAT, WORD_OTHER = range(6)
"""Codes of words on disk, by exact type. An int that does not fit into 64 bits is an other value."""
FIRST_FREQUENT = 6
"""The code of the first frequent marker; each has a code of its own."""
MOST_FREQUENT = 250
FREQUENT_AFTER = 64
"""Occurrences after which a marker becomes frequent."""

WORDS = {
    WORD_MARKER: ("marker", "its number"),
    WORD_NONE: ("None", ""),
    WORD_BOOL: ("bool", "none here: among the ints of the preceding `VALS`"),
    WORD_INT: ("int of 64 bits", "none here: among the ints of the preceding `VALS`"),
    WORD_FLOAT: ("float", "none here: among the floats of the preceding `VALS`"),
    WORD_OTHER: ("any other value", "its number"),
    FIRST_FREQUENT: ("the first frequent marker; 7 is the second, and so on", ""),
}
"""For each code: the word, and the column that stores it."""

SHOWS, BIRTH, SAFE, DETAIL = 1, 2, 4, 8
"""Flags of markers, in Python and C: the next word is an object whose content the record shows; the next word is the
object of an `__init__` that begins; the tape may be flushed before the record; an over-long run drops the record.
"""


class FixedMarker:
    """A marker that has the same number in every recording."""

    __slots__ = ("arity", "record", "shows", "values")

    def __init__(self, record: str, values: tuple[str, ...], *, shows: bool = False) -> None:
        self.record = record
        self.values = values
        """The values that follow it, in order."""
        self.arity = len(values)
        self.shows = shows
        """Whether its first value is an object whose content the record shows."""


IMAGE_LIST, IMAGE_DICT, IMAGE_SET, IMAGE_ATTRS, IMAGE_DEQUE, IMAGE_BYTES = range(1, 7)
SET_ITEM, DEL_ITEM, SET_ATTR, DEL_ATTR, CALL_METHOD = range(7, 12)
BORN = 13
TEST_BEGIN, TEST_END, TEST_FAILED = 14, 15, 16
THREAD_STARTED, THREAD_BEGUN, THREAD_SWITCH = 17, 18, 19
COARSE = 20
CHILD_STARTED = 21

_IMAGE = ("object", "tuple with the content")
MARKERS = {
    IMAGE_LIST: FixedMarker("image of a list", _IMAGE, shows=True),
    IMAGE_DICT: FixedMarker("image of a dict", _IMAGE, shows=True),
    IMAGE_SET: FixedMarker("image of a set", _IMAGE, shows=True),
    IMAGE_ATTRS: FixedMarker("image of the attributes of an object", _IMAGE, shows=True),
    IMAGE_DEQUE: FixedMarker("image of a deque", _IMAGE, shows=True),
    IMAGE_BYTES: FixedMarker("image of a bytearray", _IMAGE, shows=True),
    SET_ITEM: FixedMarker("`o[key] = value`", ("object", "key", "value")),
    DEL_ITEM: FixedMarker("`del o[key]`", ("object", "key")),
    SET_ATTR: FixedMarker("`o.name = value`", ("object", "name", "value")),
    DEL_ATTR: FixedMarker("`del o.name`", ("object", "name")),
    CALL_METHOD: FixedMarker(
        "a mutating method of a builtin container returned", ("object", "method name", "tuple of arguments")
    ),
    BORN: FixedMarker("birth: the object was made, empty", ("object",), shows=True),
    TEST_BEGIN: FixedMarker("pytest begins a test", ("its node id",)),
    TEST_END: FixedMarker(
        "a phase of a test has ended", ("node id of the test", "`phase:outcome`, such as `call:failed`")
    ),
    TEST_FAILED: FixedMarker(
        "a test failed, or a file could not be collected",
        ("its node id", "the first line of the error", "tuple of (file, line) from the outermost frame inwards"),
    ),
    THREAD_STARTED: FixedMarker("a thread is started", ("its number", "whether it belongs to a pool")),
    THREAD_BEGUN: FixedMarker("the first record of a started thread", ("its number",)),
    THREAD_SWITCH: FixedMarker("the records that follow are of another thread", ("the number of its tape",)),
    COARSE: FixedMarker(
        "details are missing from here on: no loops, no sub-expressions, no private local variables", ()
    ),
    CHILD_STARTED: FixedMarker("another process is started, which is not recorded", ("the name of its program",)),
}
"""Every fixed marker, by its number."""


# Records of modules

ENTER, LEAVE, DELEGATE, LOOP, ITERATION, AFTER, ELSE, RESUME, THROW, RESUMED = range(1, 11)
"""Effects of a record on the spans of its run: an activation begins; it ends; it ends if another generator takes over;
a loop begins; an iteration begins; loops that the record is outside of have ended; the iterations of a loop have ended;
a step of a generator begins; the same with an exception, or the generator is closed; a coroutine goes on."""


class RecordKind:
    """The kind of a record whose marker a module explains (`kind` in its `MODL` segment)."""

    __slots__ = ("detail", "effect", "raises", "record", "safe")

    def __init__(
        self, record: str, effect: int = 0, *, raises: bool = False, safe: bool = False, detail: bool = False
    ) -> None:
        self.record = record
        self.effect = effect
        """Effect on the spans of the run, 0 for none."""
        self.raises = raises
        """Whether an exception ended the spans that it ends."""
        self.safe = safe
        """Whether a full tape can be flushed before it: such records come in every loop and every call."""
        self.detail = detail
        """Whether an over-long run drops it, if it writes nothing that other code can see."""


RECORD_KINDS = {
    "enter": RecordKind("an activation begins", ENTER, safe=True),
    "return": RecordKind("it returns", LEAVE),
    "left": RecordKind("it ends after the `finally` or `with` around its `return`", LEAVE),
    "raised": RecordKind("an exception leaves it", LEAVE, raises=True),
    "yield": RecordKind("a generator yields", LEAVE),
    "delegate": RecordKind("`yield from`: another generator takes over", DELEGATE),
    "resume": RecordKind("a generator goes on", RESUME, safe=True),
    "thrown": RecordKind("a generator goes on with an exception, or is closed", THROW, safe=True),
    "resumed": RecordKind("a coroutine goes on after `await`, `async for` or `async with`", RESUMED, safe=True),
    "awaited": RecordKind("the same, in the middle of an expression", RESUMED, safe=True),
    "loop": RecordKind("a loop begins", LOOP, detail=True),
    "iteration": RecordKind("an iteration begins", ITERATION, safe=True, detail=True),
    "last_test": RecordKind("the condition of a `while` was false", detail=True),
    "else": RecordKind("the `else` of a loop begins", ELSE, detail=True),
    "after": RecordKind("a loop, or a statement that contains loops, has ended", AFTER, detail=True),
    "handler": RecordKind("an `except` clause begins", AFTER, raises=True, detail=True),
    "finally": RecordKind("a `finally` clause begins", AFTER, raises=True, detail=True),
    "passes": RecordKind("an exception leaves a `with` that contains loops", AFTER, raises=True, detail=True),
    "statement": RecordKind("a simple statement has run", detail=True),
    "part": RecordKind("a part of a statement was evaluated", detail=True),
    "inline": RecordKind("an expression was evaluated, in the middle of a statement", safe=True, detail=True),
    "comprehension": RecordKind("an iteration of a comprehension begins", safe=True, detail=True),
    "branch": RecordKind("a condition was tested", detail=True),
    "case": RecordKind("a `case` matched", detail=True),
    "block": RecordKind("the body of a `with` or `try` begins", detail=True),
    "with": RecordKind("the head of a `with` or `match` was evaluated", detail=True),
    "jump": RecordKind("`break`, `continue` or `pass`", detail=True),
    "raise": RecordKind("the operands of a `raise` were evaluated", detail=True),
    "assert": RecordKind("the condition of an `assert` was evaluated", detail=True),
}
"""Every kind of record that modules explain, by its name in the file."""
FORMER_KINDS = {"turn": "comprehension"}
"""Kinds whose names have changed, by the name in recordings of adebug 0.1."""
WRITES = {
    "set_item": SET_ITEM,
    "del_item": DEL_ITEM,
    "set_attr": SET_ATTR,
    "del_attr": DEL_ATTR,
    "call": CALL_METHOD,
}
"""The fixed marker that corresponds to each kind of object write in a record (`writes` of its marker)."""
NO_RECORD = RecordKind("a kind that this version does not know")


# Values

SINGLE, INT, BIG_INT, FLOAT, COMPLEX, STR, BYTES = range(7)
TUPLE, FROZENSET, RANGE, SLICE, DERIVED, ENUM, OPAQUE, OBJECT, TYPE = range(7, 16)
COMPOSITE = range(TUPLE, TYPE)
"""The kinds of values that consist of others."""
_ANY_NUMBER = 1 << 32


class ValueKind:
    """A kind of value."""

    __slots__ = ("fewest", "listed", "most", "parts", "value")

    def __init__(self, value: str, parts: str = "none", fewest: int = 0, most: int = 0, *, listed: bool = True) -> None:
        self.value = value
        self.parts = parts
        self.fewest, self.most = fewest, most
        """Minimum and maximum number of parts."""
        self.listed = listed
        """Whether `VALS` lists its values one by one; ints and floats have their own columns."""


VALUE_KINDS = {
    SINGLE: ValueKind("None, False, True, Ellipsis or NotImplemented"),
    INT: ValueKind("int of 64 bits", listed=False),
    BIG_INT: ValueKind("int of any size"),
    FLOAT: ValueKind("float", listed=False),
    COMPLEX: ValueKind("complex"),
    STR: ValueKind("str"),
    BYTES: ValueKind("bytes"),
    TUPLE: ValueKind("tuple", "the items", 0, _ANY_NUMBER),
    FROZENSET: ValueKind("frozenset", "the items", 0, _ANY_NUMBER),
    RANGE: ValueKind("range", "start, stop, step", 3, 3),
    SLICE: ValueKind("slice", "start, stop, step", 3, 3),
    DERIVED: ValueKind(
        "immutable value of a class that derives from a builtin; a date, Decimal, Path…",
        "class, plain value or tuple of arguments",
        2,
        2,
    ),
    ENUM: ValueKind("member of an enumeration", "class, name, value", 3, 3),
    OPAQUE: ValueKind("function, method, module, generator, iterator…", "class, module, name, receiver", 4, 4),
    OBJECT: ValueKind(
        "anything mutable",
        "class, and whatever never changes about it: the plain value, the arguments of an exception, "
        "a deque's greatest length, a defaultdict's factory",
        1,
        2,
    ),
    TYPE: ValueKind("class"),
}
"""Every kind of value, by its number."""

COLUMNS = (
    "number of each listed value, ascending, in planes",
    "kind of each listed value, one byte",
    "singles: None, False, True, Ellipsis, NotImplemented, one byte each from 0",
    "ints of any size: lengths",
    "the same: hexadecimal text",
    "complex numbers: two floats each, in planes",
    "str: lengths in code points",
    "str: UTF-8, in which lone surrogates are allowed",
    "bytes: lengths",
    "bytes: content",
    "classes: lengths",
    "classes: JSON object with `module`, `name`, `base`, `user_code`, `enum`, `fields`, `equal`, `attributes`, "
    "`computed`, `bases`",
    "ints, in planes",
    "floats, in planes",
    "number of parts of each composite value",
    "all those parts, as words without markers",
)
"""The columns of a `VALS` segment, in order."""

# The accelerator

NATIVE = {
    "CONTRACT": 13,
    "WORD_MARKER": WORD_MARKER,
    "WORD_NONE": WORD_NONE,
    "WORD_BOOL": WORD_BOOL,
    "WORD_INT": WORD_INT,
    "WORD_FLOAT": WORD_FLOAT,
    "WORD_OTHER": WORD_OTHER,
    "FIRST_FREQUENT": FIRST_FREQUENT,
    "MOST_FREQUENT": MOST_FREQUENT,
    "FREQUENT_AFTER": FREQUENT_AFTER,
    "SHOWS": SHOWS,
    "BIRTH": BIRTH,
    "SAFE": SAFE,
    "DETAIL": DETAIL,
    "KIND_TUPLE": TUPLE,
    "KIND_TYPE": TYPE,
    "KINDS": len(VALUE_KINDS),
}
"""The constants of `native/contract.h`. CONTRACT changes with the parameters or results of the accelerator's functions:
a library that was compiled with other constants is not loaded."""
