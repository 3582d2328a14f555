"""The languages that adebug can record and ask about: one folder each, met through `registry` only."""
