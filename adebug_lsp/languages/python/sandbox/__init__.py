"""Runs the user's code in a child process: this side writes the requests, `guest` serves them."""
