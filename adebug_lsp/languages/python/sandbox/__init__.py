"""Executes the user's code again in a process of its own: this side writes the requests, `guest` serves them."""
