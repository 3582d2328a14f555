"""Lines of the JSON protocol, which is public and versioned: see docs/reference/json-protocol.md."""

from typing import Any

from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.behaviour import CallSite, Question, Reason
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.presentation import Presentation, Row, present
from adebug_lsp.model.source import Location, Site
from adebug_lsp.model.values import Environment
from adebug_lsp.model.verdicts import Candidate, Verdict, VerdictKind
from adebug_lsp.session.session import Session

VERSION = 1

_KINDS = {
    NodeKind.LOOP: "loop",
    NodeKind.ITERATION: "iteration",
    NodeKind.ITERATION_RANGE: "range",
    NodeKind.BLOCK: "block",
    NodeKind.STATEMENT: "statement",
    NodeKind.EXPRESSION: "expression",
}
"""Every other kind is some sort of routine."""


def question_line(number: int, question: Question, session: Session, sources: Sources) -> dict[str, Any]:
    """The question that the session has come to."""
    behaviour, facts = question.behaviour, question.facts
    why = session.why()
    place = facts.site.location
    line: dict[str, Any] = {
        "type": "question",
        "version": VERSION,
        "id": number,
        "kind": _KINDS.get(facts.kind, "routine"),
        "callable": callable_name(facts.site),
        "text": behaviour.text,
        "path": None if place is None else place.path,
        "range": None if place is None else sources.lsp_range(place),
        "before": _texts(behaviour.before),
        "after": _texts(behaviour.after),
        "result": None if behaviour.result is None else behaviour.result.text,
        "raised": None if behaviour.raised is None else behaviour.raised.text,
        "presentation": presentation_line(present(behaviour, facts.kind), sources),
        "projection": [sources.lsp_place(place) for place in behaviour.projection],
        "remaining": why.questions_left,
        "answers": _answers(session, facts.site),
    }
    optional = {"default": question.default, "coarse": behaviour.coarse}
    return line | {key: value for key, value in optional.items() if value}


def presentation_line(presentation: Presentation, sources: Sources) -> dict[str, Any]:
    """A presentation as plain data."""
    site = presentation.call_site
    return {
        "asked": presentation.asked,
        "prompt": presentation.prompt,
        "rows": [_row(row) for row in presentation.rows],
        "called": None if site is None else sources.lsp_place(site.location) | _called(site),
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "section": row.section.name.lower(),
        "label": row.section.value,
        "name": row.name,
        "text": row.text,
        "line": row.on_one_line,
        "lines": list(row.lines),
        "address": row.address,
        "markable": row.markable,
        "in_headline": row.in_headline,
    }


def _called(site: CallSite) -> dict[str, Any]:
    return {"text": site.text, "routine": site.routine}


def why_text(why: Reason) -> dict[str, Any]:
    """The key that "why" adds to a question."""
    return {
        "why": {
            "because": why.because,
            "candidates": why.candidates,
            "yes_leaves": why.yes_leaves,
            "no_leaves": why.no_leaves,
        }
    }


def verdict_line(verdict: Verdict, session: Session, sources: Sources) -> dict[str, Any]:
    """The verdict that the session has come to."""
    return {
        "type": "verdict",
        "version": VERSION,
        "kind": _verdict_kind(verdict, session),
        "callable": "" if verdict.node is None else callable_name(session.subject.tree.site_of(verdict.node)),
        "buggy": [sources.lsp_place(place) | {"text": sources.text(place)} for place in _code(verdict, session)],
        "questions": len(session.answers),
        "asked": sum(answer.source.is_person for answer, _subject in session.answers),
        "explanation": verdict.explanation,
        **({"left_out": verdict.left_out} if verdict.kind is VerdictKind.CANDIDATES else {}),
    }


def error_line(error: AdebugError, number: int | None = None) -> dict[str, Any]:
    """An error; with a number, the question with that id is still open."""
    return {"type": "error", "id": number, "message": str(error), "slug": error.slug}


def progress_line(doing: str, done: int, total: int | None) -> dict[str, Any]:
    """Progress of long work."""
    return {"type": "progress", "doing": doing, "done": done, "total": total}


def callable_name(site: Site) -> str:
    """`module.qualname`."""
    within = f"{site.module}."
    complete = not site.module or f"{site.routine}.".startswith(within)
    return site.routine if complete else within + site.routine


def _verdict_kind(verdict: Verdict, session: Session) -> str:
    if verdict.kind is not VerdictKind.BUG or verdict.node is None:
        return verdict.kind.value
    kind = _KINDS.get(session.subject.tree.facts(verdict.node).kind, "routine")
    return kind if kind in ("routine", "expression") else "statement"


def _code(verdict: Verdict, session: Session) -> list[Location]:
    if verdict.kind is not VerdictKind.CANDIDATES:
        return list(verdict.code)
    candidates: tuple[Candidate, ...] = (*verdict.known_wrong, *verdict.unknown)
    # The iterations of a loop are many candidates with the same code.
    codes = (candidate.code or session.subject.code(candidate.node) for candidate in candidates)
    return list(dict.fromkeys(place for code in codes for place in code))


def _texts(environment: Environment) -> dict[str, str]:
    return {binding.name: binding.value.text for binding in environment.bindings}


def _answers(session: Session, site: Site) -> list[str]:
    """The answers that fit this question and need no argument."""
    words = ["yes", "no", "unknown", "inadmissible"]
    words += ["trust"] if site.routine else []
    words += ["trust module"] if site.module else []
    words += ["undo"] if session.can_undo else []
    words += ["redo"] if session.can_redo else []
    return [*words, "why", "quit"]
