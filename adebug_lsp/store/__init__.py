"""What outlives a session: answers, trust, sessions and verdicts in `.adebug/`, shared by all processes of adebug."""
