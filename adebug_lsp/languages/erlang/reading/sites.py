"""The static facts of recorded Erlang code: sites with their kinds, positions and clauses, by number."""

from typing import Any

from attrs import define, field, frozen

from adebug_lsp.languages.erlang.reading.terms import Atom, MapTerm
from adebug_lsp.model.errors import BadInputError

Place = tuple[int, int]
"""Line and column, from 1, as Erlang counts them; column 0 where only the line is known."""


_MOST_PARAMETERS = 255
"""More than that no Erlang function has."""


@frozen
class Clause:
    """One clause of a routine or of a choice."""

    place: Place
    guard: tuple[str, Place] | None
    """The kind and place of the first expression of its guard."""
    variables: tuple[str, ...]
    """What its patterns bind, in order."""
    names: tuple[str | None, ...] = ()
    """The parameters that are plain variables."""
    body: tuple[tuple[str, Place], ...] = ()
    """The kinds and places of its expressions."""


@frozen
class SiteFacts:
    """One piece of code."""

    number: int
    kind: str
    place: Place
    around: int | None
    module: str
    function: str
    arity: int
    clauses: tuple[Clause, ...] = ()
    handlers: tuple[Clause, ...] = ()
    variables: tuple[str, ...] = ()
    target: str = ""
    """Of a call: `own`, `library` or `unknown`."""
    called: tuple[str, str, int] = ("", "", 0)
    """Of a call: module, function and arity, as far as they are known."""
    name: str = ""
    """Of an operator or a named fun."""
    tail: bool = False
    timed: bool = False
    """Of a `receive`: whether it may give up to wait."""
    pattern: tuple[str, Place] | None = None
    operands: tuple[tuple[str, Place], ...] = ()
    """Of a call or an operator: the kinds and places of what it is applied to."""
    effect: bool = False
    """Of a call: whether it depends on more than its arguments, or does more than give a value."""

    @property
    def tag(self) -> str:
        """What the compiler calls this kind of code."""
        return "named_fun" if self.kind == "fun" and self.name else self.kind

    @property
    def named(self) -> str:
        """The function that the code stands in, as its module names it."""
        return f"{self.function}/{self.arity}"

    @property
    def callable(self) -> str:
        """The same with the module, as trust and rules know it."""
        return f"{self.module}.{self.named}"

    @property
    def routine(self) -> str:
        """The function that the code stands in."""
        return f"{self.module}:{self.named}"


@define(eq=False)
class Sites:
    """All sites of a run, and the files of its modules."""

    files: dict[str, str]
    """The path of each module."""
    facts: dict[int, SiteFacts] = field(factory=dict)
    funs: dict[tuple[object, ...], str] = field(factory=dict)
    """The functions that are made values by their names, by their modules and their numbers there; and the text of the
    funs in the expression with which the run began, by their lines and columns."""
    skipped: tuple[str, ...] = ()
    """Why modules that are mentioned were left out."""

    def __getitem__(self, number: int) -> SiteFacts:
        return self.facts[number]

    def is_inside(self, number: int, outer: int | None) -> bool:
        """Whether a site stands inside of another, and is not that one itself."""
        around = self.facts[number].around if number in self.facts else None
        while around is not None and around != outer:
            around = self.facts[around].around
        return around is not None

    def funs_of(self, inner: SiteFacts) -> list[int]:
        """The funs of the function that a site stands in, in the order of the text."""
        funs = [site for site in self.facts.values() if site.kind == "fun" and site.routine == inner.routine]
        return sorted(site.number for site in funs)


def read_sites(term: Any) -> Sites:
    """The sites that the recorder wrote."""
    try:
        table = dict(term.pairs)
        sites = Sites({str(module): path.decode() for module, path in table[Atom("modules")]})
        sites.facts = read_site_table(table[Atom("sites")])
        sites.funs = {(str(fun[0]), int(fun[1])): str(fun[2]) for fun in table[Atom("funs")]}
        sites.skipped = tuple(problem.decode() for problem in table.get(Atom("skipped"), ()))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise BadInputError(f"the table of sites is damaged: {error}") from None
    return sites


def traced_function(module: str, function: str, arity: int, number: int) -> SiteFacts:
    """A function of which only the calls are known."""
    return SiteFacts(number, "function", (0, 0), None, module, function, arity)


def read_site_table(terms: Any) -> dict[int, SiteFacts]:
    """Sites by their numbers."""
    sites: dict[int, SiteFacts] = {}
    for term in terms:
        site = _site(dict(term.pairs))
        if site.number < 1 or site.number in sites or (site.around is not None and site.around not in sites):
            raise ValueError(f"site {site.number} is there twice, or before what is around it")
        if not 0 <= site.arity <= _MOST_PARAMETERS:
            raise ValueError(f"site {site.number} has {site.arity} parameters")
        sites[site.number] = site
    return sites


def _site(facts: dict[Any, Any]) -> SiteFacts:
    around = facts["around"]
    name = facts.get("name", "")
    return SiteFacts(
        number=int(facts["site"]),
        kind=str(facts["kind"]),
        place=_place(facts["position"]),
        around=around if type(around) is int else None,
        module=str(facts["module"]),
        function=str(facts["function"]),
        arity=int(facts["arity"]),
        clauses=tuple(_clause(term) for term in facts.get("clauses", ())),
        handlers=tuple(_clause(term) for term in facts.get("handlers", ())),
        variables=_names(facts.get("variables", ())),
        target=str(facts.get("target", "")),
        called=("" if name[0] == "none" else str(name[0]), "" if name[1] == "none" else str(name[1]), int(name[2]))
        if isinstance(name, tuple)
        else ("", "", 0),
        name=str(name) if isinstance(name, Atom) else "",
        tail=facts.get("tail") == "true",
        timed=facts.get("timed") == "true",
        pattern=_kind_and_place(facts.get("pattern", "none")),
        operands=tuple(operand for term in facts.get("operands", ()) if (operand := _kind_and_place(term)) is not None),
        effect=facts.get("effect") == "true",
    )


def _clause(term: MapTerm) -> Clause:
    facts = dict(term.pairs)
    position = facts["position"]
    place = position[1] if isinstance(position[0], Atom) else position
    names = tuple(None if name == "none" else str(name) for name in facts.get("names", ()))
    body = tuple(place_of for expression in facts["body"] if (place_of := _kind_and_place(expression)) is not None)
    return Clause(_place(place), _kind_and_place(facts["guard"]), _names(facts["variables"]), names, body)


def _kind_and_place(term: Any) -> tuple[str, Place] | None:
    return (str(term[0]), _place(term[1])) if isinstance(term, tuple) else None


def _names(term: Any) -> tuple[str, ...]:
    return tuple(str(name) for name in term)


def _place(term: Any) -> Place:
    line, column = term
    return int(line), int(column)
