"""One execution of a piece of code, as the sandbox repeats it: the code, and the values before and after."""

from attrs import frozen

from adebug_lsp.languages.python.reading.run import Run


@frozen
class ValueAt:
    """A value at a position of the recording."""

    number: int
    position: int


@frozen
class GlobalVariable:
    """A global variable before and after; None while it has no value."""

    module: str
    name: str
    before: ValueAt | None
    after: ValueAt | None


@frozen
class SuspendedGenerator:
    """A suspended generator and its variables."""

    routine: str
    variables: tuple[tuple[str, ValueAt], ...]


@frozen
class Fragment:
    """One execution of a piece of source."""

    path: str
    """The file, relative to the workspace."""
    module: str
    """The name of the module; `__main__` programs have the name of their file."""
    routine: str
    """The qualified name inside the module (`Cart.total`, `outer.<locals>.inner`); empty for the module body."""
    what: str
    """`routine` for a whole call, `loop`, `iteration`, `range`, `statement` or `expression` for a part of one."""
    place: tuple[int, int, int, int] | None
    """The syntax node: first line (from 1), first column, last line, last column (UTF-8 bytes, as `ast` counts)."""
    node_kind: str
    """The name of its class in `ast`."""
    owner: str
    """For a method: the class that defines it."""
    arguments: tuple[tuple[str, ValueAt], ...]
    """For a call: every parameter in order (`*args` as one tuple, `**kwargs` as one dict), before it ran."""
    before: tuple[tuple[str, ValueAt], ...]
    """For a part of a call: every local variable that had a value, and the outer ones read, before it; for a call, the
    outer ones that it and the code it called in its module read."""
    after: tuple[tuple[str, ValueAt], ...]
    """For a call: every parameter, at the end (the same objects, perhaps changed). For a part: every local variable."""
    result: ValueAt | None
    raised: ValueAt | None
    """The exception that left it."""
    tested: bool = False
    """For a condition: whether only its truth is recorded."""
    yielded: bool = False
    """For a statement that ended a step of a generator: whether the result is the yielded value."""
    span: int = -1
    """The span of the call, loop or iteration that it is or belongs to."""
    generator: bool = False
    """Whether it is a step of a generator or a coroutine, which cannot simply be called."""
    iterations: int = 1
    """For a range: how many iterations it ran. For a `for` loop, `items` has the values of its variables."""
    global_variables: tuple[GlobalVariable, ...] = ()
    """Global variables of all modules that the code or its callees may have used."""
    fetches: bool = False
    """For an iteration or a range: whether a generator of the program produced the next iteration's values in it."""
    trailing_test: str = ""
    """For an iteration or a range of a `while` loop: `BehaviourBuilder.trailing_test` of the last one."""
    items: tuple[ValueAt, ...] = ()
    """For a loop, an iteration or a range of a `for` loop: values of the loop variables, iteration by iteration."""
    earlier: tuple[SuspendedGenerator, ...] = ()
    """For a later step of a generator: the generator before it, and the generators that it has started and not ended.
    """
    later: tuple[SuspendedGenerator, ...] = ()
    """For a step that yielded: the same generators after it."""
    run: Run | None = None
    """The recording of its values, if the call was executed again; None for that of the whole run."""
