"""Runs the tests of a project without pytest, with unittest or Django's test runner."""

import subprocess
from pathlib import Path

from attrs import evolve

from adebug_lsp.languages.language import Request
from adebug_lsp.languages.python.interpreter import find_interpreter

_MANAGE = "manage.py"
"""The script of a Django project: https://docs.djangoproject.com/en/stable/ref/django-admin/"""
_PYTEST, _FOR_DJANGO = "pytest", "pytest_django"
_ASKED = f"from importlib.util import find_spec; print(*filter(find_spec, ['{_PYTEST}', '{_FOR_DJANGO}']))"


def without_pytest(request: Request) -> Request | None:
    """The request that runs the tests with unittest or with Django; None if pytest runs them.

    Django's tests need its own runner, or pytest with pytest-django.
    """
    interpreter = find_interpreter(request.interpreter, request.workspace)
    manage = (request.folder or Path.cwd()) / _MANAGE
    command = [str(interpreter), "-c", _ASKED]
    known = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()  # noqa: S603
    arguments = request.tests or ()
    if manage.is_file() and _FOR_DJANGO not in known:
        return evolve(request, tests=None, program=manage, args=("test", *arguments))
    if _PYTEST not in known:
        return evolve(request, tests=None, module="unittest", args=arguments)
    return None


def runner_text(request: Request) -> str:
    """The runner of a request, as a person would type it."""
    return "`manage.py test`" if request.module is None else "`python -m unittest`"
