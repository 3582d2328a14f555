"""Opinions of a reference on processes: equal, different, or unknown."""

from pathlib import Path

from adebug_lsp.languages.erlang.oracles.reference import Reference
from adebug_lsp.languages.erlang.reading.processes import Process
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.session.subject import Subject
from adebug_lsp.tree.columns import ExecutionTree
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import record

pytestmark = needs_erlang

PROGRAM = """
-compile([export_all, nowarn_export_all]).
main() ->
    Self = self(),
    register(known, spawn(?MODULE, echo, [])),
    Table = ets:new(shared, [public]),
    Calls = [{other_order, [known, Self]}, {same_order, [known, Self]}, {tags, [Self]}, {looks_up, []},
             {shares, [Table]}, {fills, [Table]}, {crashes, [0]}, {counts, [3]}, {makes, []},
             {starts, [Self]}, {halves, [8]}, {renames, [8]}],
    [wait(spawn_monitor(?MODULE, Name, Given)) || {Name, Given} <- Calls],
    Made = spawn(fun() -> receive {add, N, Who} -> Who ! N end end),
    Made ! {add, 1, Self},
    Victim = spawn(?MODULE, killed, [Self]),
    receive ready -> exit(Victim, stopped) end.
wait({_, Ref}) -> receive {'DOWN', Ref, _, _, _} -> ok end.
echo() -> receive {Who, What} -> Who ! What, echo(); _ -> echo() end.
other_order(A, B) -> A ! one, B ! two, receive never -> ok after 0 -> ok end.
same_order(A, B) -> A ! one, A ! two, B ! three, receive never -> ok after 0 -> ok end.
tags(To) -> A = make_ref(), B = make_ref(), To ! {A, B}, receive never -> ok after 0 -> ok end.
makes() ->
    A = spawn(?MODULE, echo, []), B = spawn(?MODULE, echo, []), A ! a, B ! b, receive never -> ok after 0 -> ok end.
starts(To) ->
    [spawn(fun() -> To ! N end) || N <- [1, 2]], receive never -> ok after 0 -> [spawn(fun() -> N end) || N <- [1]] end.
looks_up() -> whereis(known), receive never -> ok after 0 -> done end.
shares(Table) -> ets:insert(Table, {a, 1}), receive never -> ok after 0 -> ets:lookup(Table, b) end.
fills(Table) -> ets:insert(Table, {b, 1}), receive never -> ok after 0 -> ok end.
crashes(N) -> receive never -> ok after 0 -> 1 div N end.
counts(N) -> put(sum, N), receive never -> ok after 0 -> put(sum, get(sum) + 1) end.
killed(Main) -> receive never -> ok after 0 -> Main ! ready, spin(0), Main ! bye end.
spin(N) -> spin(N + 1).
halves(N) -> Half = N div 2, same(Half), receive never -> ok after 0 -> N end.
renames(N) -> Part = N div 2, Sum = Part + Part, receive never -> ok after 0 -> {Sum, Part} end.
same(N) -> N.
"""

TWIN = {
    "A ! one, B ! two": "B ! two, A ! one",
    "A ! one, A ! two, B": "A ! two, A ! one, B",
    "To ! {A, B}": "To ! {B, A}",
    "whereis(known)": "whereis(another)",
    "get(sum) + 1": "get(sum) + 2",
    "spin(0), ": "",
    "A ! a, B ! b": "B ! a, A ! b",
    "Half = N div 2": "Half = N div 4",
    "Part = N div 2, Sum = Part + Part": "Sum = N div 2, All = Sum + Sum",
    "{Sum, Part}": "{All, Sum}",
}
"""Replacements in the fixed twin."""
EXPECTED = {
    "echo()": Judgement.YES,
    "other_order(": Judgement.YES,
    "same_order(": Judgement.NO,
    "starts(": Judgement.YES,
    "tags(": Judgement.UNKNOWN,
    "makes(": Judgement.UNKNOWN,
    "looks_up(": Judgement.UNKNOWN,
    "shares(": Judgement.UNKNOWN,
    "fills(": Judgement.UNKNOWN,
    "crashes(": Judgement.YES,
    "counts(": Judgement.NO,
    "killed(": Judgement.UNKNOWN,
    "halves(": Judgement.YES,
    "renames(": Judgement.UNKNOWN,
    "the fun at line": Judgement.YES,
}


def test_a_reference_judges_the_processes_that_it_can_replay(tmp_path: Path) -> None:
    recorded = record(tmp_path, PROGRAM)
    changed = f"-module(program).\n{PROGRAM}"
    for ours, its in TWIN.items():
        assert changed.count(ours) == 1
        changed = changed.replace(ours, its)
    (tmp_path / "right").mkdir()
    (tmp_path / "right" / "program.erl").write_text(changed, encoding="utf-8")
    subject, judgements = recorded.subject, dict[str, Judgement]()
    with Reference.open("right", tmp_path, subject) as reference:
        for node in range(len(subject.tree)):
            item = subject.item(node)
            if isinstance(item, Process):
                began = subject.process_text(item)
                opinion = reference.opinion(Question(subject.tree.facts(node), subject.behaviour(node)))
                assert opinion is not None
                name = next((call for call in EXPECTED if began.startswith(call)), began)
                judgements[name] = opinion.judgement
    judgements.pop(next(name for name in judgements if name.startswith("main()")))
    assert judgements == EXPECTED


def test_a_program_is_never_wrong_beside_itself(tmp_path: Path) -> None:
    subject = record(tmp_path, PROGRAM).subject
    (tmp_path / "same").mkdir()
    (tmp_path / "same" / "program.erl").write_text(f"-module(program).\n{PROGRAM}", encoding="utf-8")
    asked: list[tuple[ExecutionTree, Subject, int, tuple[int, ...]]] = [
        (subject.tree, subject, node, ()) for node in range(1, min(len(subject.tree), 60))
    ]
    for _tree, _subject, node, _zoomed in tuple(asked):
        inner = subject.inside(node)
        if inner is not None:
            asked += [(inner.tree, inner, part, (node,)) for part in range(1, min(len(inner.tree), 30))]
    with Reference.open("same", tmp_path, subject) as reference:
        for tree, of, node, zoomed in asked:
            question = Question(tree.facts(node), of.behaviour(node), zoomed=zoomed)
            opinion = reference.opinion(question)
            assert opinion is None or opinion.judgement is not Judgement.NO, (question.behaviour.text, opinion.reason)
