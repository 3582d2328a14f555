"""Finds arguments that no clause matches, by Maranget's *Warnings for pattern matching* (2007)."""

from __future__ import annotations

from adebug_lsp.languages.haskell.core import core_tree as c

Row = list[c.Pattern]


def missing_case(clauses: list[c.Clause], width: int) -> str | None:
    """Patterns that no clause covers, as source; None if all cases are covered."""
    rows = [clause.patterns for clause in clauses if _always_holds(clause)]
    witness = _witness(rows, width)
    return None if witness is None else " ".join(witness)


def _always_holds(clause: c.Clause) -> bool:
    """Whether a clause is taken whenever its patterns match."""
    return any(all(_is_true(guard) for guard in branch.guards) for branch in clause.branches)


def _is_true(guard: c.Guard) -> bool:
    """Whether a guard always holds."""
    match guard:
        case c.BoolGuard(condition=c.Global(name="Prelude.otherwise")):
            return True
        case c.BoolGuard(condition=c.Con(info=info)):
            return info.name == "Prelude.True"
        case c.LetGuard():
            return True
    return False


def _witness(rows: list[Row], width: int) -> list[str] | None:
    """Patterns that no row matches; None if there are none."""
    if not width:
        return None if rows else []
    rows = [[_plain(row[0]), *row[1:]] for row in rows]
    heads = {row[0].info.tag: row[0].info for row in rows if isinstance(row[0], c.PCon)}
    siblings = next(iter(heads.values())).siblings if heads else []
    for info in siblings:
        if info.tag in heads:
            inner = _witness(_specialised(rows, info), info.arity + width - 1)
            if inner is not None:
                return [_applied(info, inner[: info.arity]), *inner[info.arity :]]
    if siblings and len(heads) == len(siblings):
        return None
    rest = _witness([row[1:] for row in rows if isinstance(row[0], c.PWild)], width - 1)
    if rest is None:
        return None
    absent = next((info for info in siblings if info.tag not in heads), None)
    return [_applied(absent, ["_"] * absent.arity) if absent is not None else "_", *rest]


def _plain(pattern: c.Pattern) -> c.Pattern:
    """A pattern without names and laziness."""
    match pattern:
        case c.PAs(pattern=inner):
            return _plain(inner)
        case c.PVar(span=span) | c.PLazy(span=span):
            return c.PWild(span)
    return pattern


def _specialised(rows: list[Row], info: c.ConstructorInfo) -> list[Row]:
    """The rows that match a constructor, with its fields as columns."""
    specialised: list[Row] = []
    for first, *rest in rows:
        if isinstance(first, c.PCon) and first.info.tag == info.tag:
            specialised.append([*first.parts, *rest])
        elif isinstance(first, c.PWild):
            specialised.append([*([first] * info.arity), *rest])
    return specialised


def _applied(info: c.ConstructorInfo, parts: list[str]) -> str:
    name = info.short
    if name.startswith("(,"):
        return f"({', '.join(parts)})"
    if name.startswith(":") and len(parts) == 2:
        return f"({parts[0]} {name} {parts[1]})"
    return f"({' '.join([name, *parts])})" if parts else name
