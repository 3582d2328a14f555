"""Hypothesis looks at new examples on a developer's machine, and at the same ones in every run of CI."""

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
