"""The recorder, which runs inside the user's interpreter: standard library only, nothing of adebug outside this folder.

It is loaded under the name `adebug_recorder`, so that it needs no installation where the user's program runs.
"""
