"""The test suites that must give the same results recorded and bare.

Packages are pinned source distributions that carry their tests. A standard suite is a test module of the interpreter's
own library, with the modules that it tests: both are copied into a workspace, so that they count as the user's code.
"""

from attrs import frozen


@frozen
class Package:
    """A pure Python package from the index, with its tests."""

    name: str
    version: str
    sha256: str
    """Of the source distribution."""

    source: str = "."
    """The folder that holds the package, which goes on the path."""

    tests: tuple[str, ...] = ("tests",)
    """Arguments of pytest."""

    since: tuple[int, int] = (3, 10)
    """The first version of the interpreter that can run it."""

    slow: bool = False
    """Takes minutes: compared by hand, not by the test suite."""


@frozen
class Standard:
    """A test module of the standard library."""

    name: str
    modules: tuple[str, ...] = ()
    """The modules under test; none when the test is about the language itself."""

    since: tuple[int, int] = (3, 10)
    slow: bool = False


PACKAGES = (
    Package("boltons", "26.2.0", "d39cfd15c1a1c3bd4d705c82252fa9edb8e4f5e8cc039f8e39afac7b1b47e92c", slow=True),
    Package("click", "8.1.8", "ed53c9d8990d83c2a27deae68e4ee337473f6330c040a31d4225c9574d16096a", "src"),
    Package("freezegun", "1.5.5", "ac7742a6cc6c25a2c35e9292dfd554b897b517d2dec26891a2e8debf205cb94a"),
    Package("itsdangerous", "2.2.0", "e0050c0b7da1eea53ffaf149c0cfbb5c6e2e2b69c4bef22c81fa6eb73e5f6173", "src"),
    Package("mistune", "3.0.2", "fc7f93ded930c92394ef2cb6f04a8aabab4117a91449e72dcc8dfa646a508be8", "src"),
    Package("more-itertools", "10.5.0", "5482bfef7849c25dc3c6dd53a6173ae4795da2a41a80faea6700d9f5846c5da6", slow=True),
    Package("semver", "3.1.1", "149b26cabada6f63212f97e94505d21578cb1d280cf714827f328d5e70765fea", "src"),
    Package("tabulate", "0.10.0", "e2cfde8f79420f6deeffdeda9aaec3b6bc5abce947655d17ac662b126e48a60d", tests=("test",)),
    Package("toolz", "1.2.0", "9667a038e9d6ecba37995e26cb2f59ec6420b6ad8dd9677de59db9b956b08490", tests=("toolz",)),
    Package("voluptuous", "0.16.0", "006535e22fed944aec17bef6e8725472476194743c87bd233e912eb463f8ff05", tests=(".",)),
)

STANDARD = (
    Standard("test_bisect", ("bisect",)),
    Standard("test_calendar", ("calendar",)),
    Standard("test_collections", ("collections",), slow=True),
    Standard("test_configparser", ("configparser",)),
    Standard("test_contextlib", ("contextlib",)),
    Standard("test_contextlib_async", ("contextlib",)),
    Standard("test_copy", ("copy",)),
    Standard("test_dataclasses", ("dataclasses",)),
    Standard("test_difflib", ("difflib",), slow=True),
    Standard("test_enum", ("enum",)),
    Standard("test_fractions", ("fractions",)),
    Standard("test_functools", ("functools",)),
    Standard("test_graphlib", ("graphlib",)),
    Standard("test_heapq", ("heapq",)),
    Standard("test_html", ("html",)),
    Standard("test_json", ("json",), slow=True),
    Standard("test_ordered_dict", ("collections",), slow=True),
    Standard("test_pprint", ("pprint",)),
    Standard("test_reprlib", ("reprlib",)),
    Standard("test_sched", ("sched",)),
    Standard("test_shlex", ("shlex",)),
    Standard("test_statistics", ("statistics",), slow=True),
    Standard("test_string", ("string",)),
    Standard("test_textwrap", ("textwrap",)),
    Standard("test_userdict", ("collections",)),
    Standard("test_asyncgen"),
    Standard("test_augassign"),
    Standard("test_baseexception"),
    Standard("test_class"),
    Standard("test_compare"),
    Standard("test_contains"),
    Standard("test_coroutines"),
    Standard("test_decorators"),
    Standard("test_dictcomps"),
    Standard("test_except_star", since=(3, 11)),
    Standard("test_exception_variations"),
    Standard("test_extcall"),
    Standard("test_fstring"),
    Standard("test_generators"),
    Standard("test_genexps"),
    Standard("test_grammar"),
    Standard("test_isinstance"),
    Standard("test_iter"),
    Standard("test_keywordonlyarg"),
    Standard("test_listcomps"),
    Standard("test_metaclass"),
    Standard("test_named_expressions"),
    Standard("test_patma"),
    Standard("test_positional_only_arg"),
    Standard("test_property"),
    Standard("test_raise"),
    Standard("test_scope"),
    Standard("test_setcomps"),
    Standard("test_super"),
    Standard("test_traceback"),
    Standard("test_type_aliases", since=(3, 12)),
    Standard("test_type_params", since=(3, 12)),
    Standard("test_unpack"),
    Standard("test_unpack_ex"),
    Standard("test_weakref", ("weakref",), slow=True),
    Standard("test_with"),
)

_LIVES = "the tape holds objects until it is written"
_FRAMES = "hidden variables of a function can be seen by whoever looks into its code object"
_LINES = "a line tracer sees the line of a statement once more where its record is made"
_DEPTH = "it counts frames near the limit of recursion"

KNOWN = {
    "boltons": (_LIVES, ["test_min_id_map", "exit code 0 became 1"]),
    "test_copy": (_LIVES, ["test_deepcopy_weakkeydict", "test_deepcopy_weakvaluedict"]),
    "test_coroutines": (_LIVES, ["test_bpo_45813_1", "test_bpo_45813_2", "test_for_3", "test_for_4", "test_for_6"]),
    "test_generators": (_LIVES, ["test_refcycle", "test_frame_resurrect", "test_close_releases_frame_locals"]),
    "test_enum": (_LIVES, ["test_missing_exceptions_reset"]),
    "test_dataclasses": (_LIVES, ["test_original_class_is_gced"]),
    "test_functools": (_LIVES, ["test_lru_cache_weakrefable", "test_weakref", "test_method_no_reference_loops"]),
    "test_contextlib": (_LIVES, ["test_nokeepref"]),
    "test_iter": (_LIVES, ["test_free_after_iterating", "test_ref_counting_behavior"]),
    "test_ordered_dict": (_LIVES, ["test_free_after_iterating", "test_highly_nested_subclass", "test_reference_loop"]),
    "test_scope": (_LIVES, ["testCellLeak"]),
    "test_grammar": (_FRAMES, ["test_funcdef"]),
    "test_patma": (_LINES, ["test_no_default", "test_unreachable_code"]),
    "test_traceback": (_DEPTH, [f"test_recursive_traceback{of}" for of in ("", "_cpython_internal", "_python")]),
}
"""Known differences of recorded runs, with the reason; no other tests may differ."""
