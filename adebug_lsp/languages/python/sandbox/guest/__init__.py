"""Runs pieces of the user's code in the user's interpreter, in a process of its own.

Standard library only, and nothing of adebug outside this folder, which is loaded as the package `adebug_sandbox`.
"""
