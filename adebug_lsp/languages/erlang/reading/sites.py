"""Static facts of the recorded code: sites with their kinds, positions and clauses, by number."""

from collections.abc import Iterable
from typing import Any

from attrs import define, field, frozen

from adebug_lsp.languages.erlang.reading.terms import Atom, MapTerm
from adebug_lsp.model.errors import BadInputError

Place = tuple[int, int]
"""Line and column from 1, as `erl_anno` has them; column 0 if only the line is known."""


_MOST_PARAMETERS = 255
"""Largest arity: https://www.erlang.org/doc/system/system_limits.html"""


@frozen
class Clause:
    """One clause of a function, fun or choice."""

    place: Place
    guard: tuple[str, Place] | None
    """Kind and place of the first expression of its guard."""
    variables: tuple[str, ...]
    """Variables that its patterns bind, in order."""
    names: tuple[str | None, ...] = ()
    """Names of the parameters that are plain variables."""
    body: tuple[tuple[str, Place], ...] = ()
    """Kinds and places of its expressions."""


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
    """For a call: `own`, `library` or `unknown`."""
    called: tuple[str, str, int] = ("", "", 0)
    """For a call: module, function and arity, as far as known."""
    name: str = ""
    """Name of an operator or of a named fun."""
    tail: bool = False
    timed: bool = False
    """For a `receive`: whether it has a timeout."""
    pattern: tuple[str, Place] | None = None
    operands: tuple[tuple[str, Place], ...] = ()
    """For a call or operator: kinds and places of its operands."""
    effect: bool = False
    """For a call: whether it has effects or depends on more than its arguments."""

    @property
    def tag(self) -> str:
        """Tag of this code in the abstract format (https://www.erlang.org/doc/apps/erts/absform.html)."""
        return "named_fun" if self.kind == "fun" and self.name else self.kind

    @property
    def named(self) -> str:
        """Name and arity of the function around the code."""
        return f"{self.function}/{self.arity}"

    @property
    def callable(self) -> str:
        """The function with its module, as trust and rules name it."""
        return f"{self.module}.{self.named}"

    @property
    def routine(self) -> str:
        """The function with its module, as Erlang writes it."""
        return f"{self.module}:{self.named}"


@define(eq=False)
class Sites:
    """All sites of a run, and the files of its modules."""

    files: dict[str, str]
    """Path of each module."""
    facts: dict[int, SiteFacts] = field(factory=dict)
    funs: dict[tuple[object, ...], str] = field(factory=dict)
    """Names of `fun name/1` values by module and fun index; texts of funs in the expression that started the run by
    line and column.
    """
    skipped: tuple[str, ...] = ()
    """Why modules that are mentioned were left out."""

    def __getitem__(self, number: int) -> SiteFacts:
        return self.facts[number]

    def is_inside(self, number: int, outer: int | None) -> bool:
        """Whether a site lies strictly inside another."""
        around = self.facts[number].around if number in self.facts else None
        while around is not None and around != outer:
            around = self.facts[around].around
        return around is not None

    def funs_of(self, inner: SiteFacts) -> list[int]:
        """Funs of the function around a site, in textual order."""
        funs = [site for site in self.facts.values() if site.kind == "fun" and site.routine == inner.routine]
        return sorted(site.number for site in funs)


def read_sites(term: Any) -> Sites:
    """Reads the table of sites that the recorder wrote."""
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
    """Site of a function that is traced by the VM, so that only its calls are known."""
    return SiteFacts(number, "function", (0, 0), None, module, function, arity)


def read_site_table(terms: Any) -> dict[int, SiteFacts]:
    """Sites by number; raises `ValueError` for a damaged table."""
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
    """Parse the facts about one site."""
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
    """Parse the facts about one clause."""
    facts = dict(term.pairs)
    position = facts["position"]
    place = position[1] if isinstance(position[0], Atom) else position
    names = tuple(None if name == "none" else str(name) for name in facts.get("names", ()))
    body = tuple(place_of for expression in facts["body"] if (place_of := _kind_and_place(expression)) is not None)
    return Clause(_place(place), _kind_and_place(facts["guard"]), _names(facts["variables"]), names, body)


def _kind_and_place(term: object) -> tuple[str, Place] | None:
    return (str(term[0]), _place(term[1])) if isinstance(term, tuple) else None


def _names(term: Iterable[object]) -> tuple[str, ...]:
    return tuple(str(name) for name in term)


def _place(term: Any) -> Place:
    line, column = term
    return int(line), int(column)
