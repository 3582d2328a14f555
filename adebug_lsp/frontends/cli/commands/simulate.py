"""`adebug simulate`: runs strategies on a tree whose wrong nodes are known."""

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence

from adebug_lsp.frontends.cli.handmade_file import load_handmade
from adebug_lsp.frontends.cli.render.escape import print_lines
from adebug_lsp.model.errors import BadAnswerError, BadInputError
from adebug_lsp.search.strategies import DEFAULT, names
from adebug_lsp.session.handmade_subject import HandmadeSubject, truth
from adebug_lsp.session.simulation import Play, play
from adebug_lsp.session.state import Options
from adebug_lsp.tree.handmade import HandmadeTree


def run(options: Namespace) -> int:
    """Run the strategies and print their questions."""
    handmade = load_handmade(options.tree)
    if not handmade.wrong:
        raise BadInputError(f"{options.tree}: no node is wrong, so there is nothing to find")
    plays = _plays(handmade, names() if options.all else [options.strategy or DEFAULT], options)
    if options.json:
        for played in plays:
            print(json.dumps(_as_json(handmade, played)), flush=True)
    else:
        print_lines(*render(handmade, list(plays)))
    return 0


def _plays(handmade: HandmadeTree, strategies: Sequence[str], options: Namespace) -> Iterator[Play]:
    subject = HandmadeSubject(handmade)
    for name in strategies:
        settings = Options(name, root_is_wrong=not options.ask_root, stop_at_rule=options.stop_at_rule)
        try:
            yield play(subject, lambda node: truth(handmade, node), settings, options.transform)
        except BadAnswerError as error:
            raise BadInputError(f"--transform: {error}") from error


def _names(handmade: HandmadeTree, played: Play) -> list[object]:
    """The ids of the nodes asked about, in order; a range is named by the ids of its ends."""
    ids, ranges = handmade.ids, played.ranges
    return [f"{ids[ranges[n][0]]}-{ids[ranges[n][-1]]}" if n in ranges else ids[n] for n in played.questions]


def _as_json(handmade: HandmadeTree, played: Play) -> dict[str, object]:
    return {
        "strategy": played.strategy,
        "questions": _names(handmade, played),
        "buggy": None if played.buggy is None else handmade.ids[played.buggy],
    }


def render(handmade: HandmadeTree, plays: Sequence[Play]) -> list[str]:
    """A table: the number of questions of each strategy, and the nodes asked about."""
    width = max(len(played.strategy) for played in plays)
    lines = [f"{'strategy':{width}}  questions  text read  time (ms)  buggy  asked"]
    for played in plays:
        asked = " ".join(map(str, _names(handmade, played)))
        buggy = "none" if played.buggy is None else str(handmade.ids[played.buggy])
        lines.append(
            f"{played.strategy:{width}}  {len(played.questions):9}  {played.text_read:9}  "
            f"{played.seconds * 1000:9.1f}  {buggy:>5}  {asked}"
        )
    return lines
