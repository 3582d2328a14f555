"""Data that outlives a session: answers, trust, sessions and verdicts in `.adebug/`, shared by all adebug processes."""
