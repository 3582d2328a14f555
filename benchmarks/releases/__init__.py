"""Real bugs: tests of a release that fail on the release before it.

`corpus.toml` names them; everything else is downloaded when the benchmark runs.
"""
