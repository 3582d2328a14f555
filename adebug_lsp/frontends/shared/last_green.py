"""Finds the newest git revision in which a failing test passes, to use as the reference.

It goes back from HEAD in growing steps until the test passes, then bisects. The test file is taken from the workspace,
because a test that shows a bug is often newer than the bug.
"""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import evolve

from adebug_lsp.languages.language import Language, Progress, Request
from adebug_lsp.languages.reference_tree import reference_tree, revisions
from adebug_lsp.model.errors import BadInputError


def last_green(language: Language, request: Request, since: str | None, progress: Progress) -> str:
    """The newest revision in which the tests of a request pass; raises `BadInputError` if there is none."""
    commits = revisions(request.workspace, since)

    def is_green(index: int) -> bool:
        progress("looking for the last revision where the test passes", index)
        with reference_tree(f"git:{commits[index]}", request.workspace) as (tree, _single):
            _copy_tests(request, tree)
            inside = (request.folder or Path.cwd()).absolute()
            folder = tree / inside.relative_to(request.workspace) if inside.is_relative_to(request.workspace) else tree
            return language.passes(evolve(request, workspace=tree, folder=folder), request.workspace)

    index = newest(len(commits), is_green)
    if index is None:
        back_to = f"since {since}" if since else f"of the last {len(commits)}"
        raise BadInputError(f"--last-green: the test passes in no revision {back_to} that was tried; name one: --since")
    return commits[index]


def newest(count: int, is_green: Callable[[int], bool]) -> int | None:
    """The first green index, if all after it are green: a few tries at growing distances, then a bisection."""
    red, step = -1, 0
    while step < count:
        if is_green(step):
            break
        red = step
        step = min(2 * step + 1, count - 1) if step < count - 1 else count
    if step >= count:
        return None
    green = step
    while green - red > 1:
        middle = (red + green) // 2
        if is_green(middle):
            green = middle
        else:
            red = middle
    return green


def _copy_tests(request: Request, tree: Path) -> None:
    """Copy the test files of a request into a tree."""
    for name in _files((*request.selected, *(request.tests or ()))):
        for folder in (request.workspace, (request.folder or Path.cwd()).absolute()):
            file = folder / name
            if file.is_file() and file.is_relative_to(request.workspace):
                target = tree / file.relative_to(request.workspace)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)


def _files(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name.partition("::")[0] for name in names if not name.startswith("-")))
