"""Shared by all front ends: opening sessions, options, wording, the JSON protocol, recordings, verifying a fix."""
