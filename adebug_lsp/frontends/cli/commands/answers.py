"""`adebug answers`: lists, forgets or exports the answers in the store of a workspace."""

from argparse import Namespace
from pathlib import Path

from adebug_lsp.frontends.cli.render.escape import print_error, print_lines
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.export import exported
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.store import Store


def show(options: Namespace) -> int:
    """List all answers with their numbers, and all trust."""
    with _store(options) as store:
        answers = store.answers.all()
        lines = [f"{number:4}  {_line(answer)}" for number, answer in enumerate(answers, start=1)]
        lines += [f"      trusted       the {trust.scope.value} {trust.name}" for trust in store.trust.all()]
    print_lines(*lines or ["no answers are stored in this workspace"])
    return 0


def forget(options: Namespace) -> int:
    """Remove answers and trust: by number, by the name of a routine or module, or all."""
    with _store(options) as store:
        answers = store.answers.all()
        if options.all:
            chosen = answers
        elif options.what.isdigit():
            chosen = [a for number, a in enumerate(answers, start=1) if number == int(options.what)]
        else:
            chosen = [a for a in answers if options.what in (a.routine, a.module)]
        count = sum(store.answers.forget(answer.identity, answer.language) for answer in chosen)
        trusts = [trust for trust in store.trust.all() if options.all or trust.name == options.what]
        count += sum(store.trust.forget_everywhere(trust.scope, trust.name) for trust in trusts)
    if not count and not options.all:
        raise BadInputError(f"no answer {options.what!r}; `adebug answers list` shows all answers")
    print_lines(f"forgot {count}")
    return 0


def export(options: Namespace) -> int:
    """Write the answers that tests can express to a new file."""
    workspace = Path(options.workspace)
    with _store(options) as store:
        made = exported(store.answers.all(), Path(), options.out, workspace)
    if not made.count:
        raise BadInputError(wording.NOTHING_TO_EXPORT)
    made.write(advice="; name another with -o")
    print_lines(wording.exported(made.file, made.count, made.left_out))
    return 0


def _store(options: Namespace) -> Store:
    store = Store.open(Path(options.workspace))
    for problem in store.problems:
        print_error(problem)
    return store


def _line(answer: SavedAnswer) -> str:
    expected = f"   should be {answer.expected}" if answer.expected is not None else ""
    return f"{wording.label(answer.judgement):12}  {answer.text}{expected}"
