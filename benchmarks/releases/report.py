"""Tables of the results: one row per bug, then totals."""

from collections.abc import Sequence
from statistics import median

from benchmarks.releases.corpus import Bug
from benchmarks.releases.measure import OUTCOMES, Asked, Result

SCREEN = 24
Rows = Sequence[tuple[Bug, Result]]


def by_bug(rows: Rows) -> str:
    """One row per bug."""
    lines = [
        "| bug | test | outcome | lines | questions | asked | first (s) | all (s) | bare (s) |",
        f"|{'---|' * 9}",
    ]
    for bug, result in rows:
        first = "-" if result.first is None else f"{result.first:.1f}"
        lines.append(
            f"| {bug.package.name} {bug.fixed} | {_test(bug)} | {_outcome(result)} | {result.lines or '-'} "
            f"| {result.questions} | {len(result.asked)} | {first} | {result.seconds:.1f} | {result.bare:.1f} |"
        )
    return "\n".join(lines)


def totals(rows: Rows) -> str:
    """How many bugs came to which end."""
    results = [result for _bug, result in rows]
    counts = {outcome: sum(result.outcome == outcome for result in results) for outcome in OUTCOMES}
    lists = [result for result in results if result.outcome == "candidates"]
    held, long = sum(one.holds for one in lists), sum(one.lines > SCREEN for one in lists)
    committed = [result.lines for result in results if result.outcome in ("line", "function", "neither")]
    facts = [
        f"{len(rows)} bugs of {len({bug.package.name for bug, _ in rows})} packages",
        f"verdict in a changed function: {_share(counts['line'] + counts['function'], len(rows))}",
        f"lists of candidates: {len(lists)}, {held} with a changed line, {long} longer than a screen",
        f"lines in a verdict: {_figures(committed)}; in a list: {_figures([one.lines for one in lists])}",
        f"questions: {_figures([result.questions for result in results])}",
        f"asked of a person: {_figures([len(result.asked) for result in results])}",
    ]
    table = ["| outcome | bugs |", "|---|---|", *(f"| {outcome} | {count} |" for outcome, count in counts.items())]
    return "\n".join([*table, "", *(f"- {fact}" for fact in facts)])


def ends_right(result: Result) -> bool:
    """Whether the end is in a changed function: the verdict, or all candidates."""
    return result.outcome in ("line", "function") or (result.outcome == "candidates" and result.inside)


def by_hand(rows: Rows) -> str:
    """What the person was asked."""
    ended = [(bug, result) for bug, result in rows if result.asked]
    if not ended:
        return "nothing was asked"
    lines = [
        "| bug | test | answers | yes / no / don't know | outcome | first three questions | plumbing among them |",
        f"|{'---|' * 7}",
    ]
    for bug, result in ended:
        given = [sum(asked.answer == word for asked in result.asked) for word in ("yes", "no", "unknown")]
        first = result.asked[:3]
        plumbing = sum(asked.plumbing for asked in first)
        lines.append(
            f"| {bug.package.name} {bug.fixed} | {_test(bug)} | {len(result.asked)} | {' / '.join(map(str, given))} "
            f"| {_outcome(result)}{' in a changed function' if ends_right(result) else ''} "
            f"| {', '.join(asked.kind for asked in first)} | {plumbing or '-'} |"
        )
    right = sum(ends_right(result) for _bug, result in ended)
    plumbing = sum(any(asked.plumbing for asked in result.asked[:3]) for _bug, result in ended)
    lines += [
        "",
        f"- answers: {_figures([len(result.asked) for _bug, result in ended])}",
        f"- ended at a changed function: {_share(right, len(ended))}",
        f"- plumbing among the first three questions: {_share(plumbing, len(ended))}",
        "",
        _kinds([asked for _bug, result in ended for asked in result.asked]),
    ]
    return "\n".join(lines)


def _kinds(asked: Sequence[Asked]) -> str:
    lines = [
        "| kind of question | asked | lines: median | 95 % within | fit a screen of 24 lines | don't know |",
        f"|{'---|' * 6}",
    ]
    kinds = {kind: [one for one in asked if one.kind == kind] for kind in sorted({one.kind for one in asked})}
    for kind, those in [*kinds.items(), ("all", list(asked))]:
        lengths = sorted(one.lines for one in those)
        most = lengths[min(len(lengths) - 1, int(len(lengths) * 0.95))]
        fits = _share(sum(length <= SCREEN for length in lengths), len(those))
        unknown = _share(sum(one.answer == "unknown" for one in those), len(those))
        lines.append(f"| {kind} | {len(those)} | {median(lengths):.0f} | {most} | {fits} | {unknown} |")
    return "\n".join(lines)


def _test(bug: Bug) -> str:
    return bug.test.rpartition("::")[2].replace("|", "\\|")[:60]


def _outcome(result: Result) -> str:
    return f"candidates with{'' if result.holds else 'out'} it" if result.outcome == "candidates" else result.outcome


def _figures(numbers: Sequence[int]) -> str:
    return f"median {median(numbers):.0f}, most {max(numbers)}" if numbers else "none"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "0 of 0"
