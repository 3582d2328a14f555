"""Aligns the sites of a program with those of its reference: functions by name, their code in textual order.

Changed code is paired with the code in its place if both have the same number of sites of the same kinds.
"""

from difflib import SequenceMatcher

from adebug_lsp.languages.erlang.reading.sites import Place, SiteFacts, Sites


def align_sites(program: Sites, reference: Sites) -> dict[int, SiteFacts]:
    """Returns the site of the reference for each site of the program that has one."""
    pairs: dict[int, SiteFacts] = {}
    others = _by_routine(reference)
    for routine, sites in _by_routine(program).items():
        if routine in others:
            pairs |= _pairs(sites, others[routine])
    return pairs


def matching_operand(site: SiteFacts, around: SiteFacts, other: SiteFacts) -> tuple[str, Place] | None:
    """Returns the operand of the reference's call or operator that corresponds to a site of the program."""
    same = (around.kind, around.name, around.called) == (other.kind, other.name, other.called)
    mine = (site.tag, site.place)
    if not same or len(around.operands) != len(other.operands) or around.operands.count(mine) != 1:
        return None
    return other.operands[around.operands.index(mine)]


def _by_routine(sites: Sites) -> dict[str, list[SiteFacts]]:
    by_routine: dict[str, list[SiteFacts]] = {}
    for site in sites.facts.values():
        by_routine.setdefault(site.routine, []).append(site)
    return by_routine


def _pairs(left: list[SiteFacts], right: list[SiteFacts]) -> dict[int, SiteFacts]:
    """The corresponding sites of two versions, by the number of the left one."""
    matcher = SequenceMatcher(None, list(map(_key, left)), list(map(_key, right)), autojunk=False)
    aligned: dict[int, SiteFacts] = {}
    for how, first, last, start, end in matcher.get_opcodes():
        pairs = list(zip(left[first:last], right[start:end], strict=False))
        same = last - first == end - start and all(site.kind == other.kind for site, other in pairs)
        if how == "equal" or (how == "replace" and same):
            aligned |= {site.number: other for site, other in pairs}
    return aligned


def _key(site: SiteFacts) -> tuple[object, ...]:
    return site.kind, site.name, site.called, site.variables, len(site.clauses), len(site.handlers)
