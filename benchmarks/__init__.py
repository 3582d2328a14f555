"""Benchmarks of adebug: questions asked, time and memory, and comparisons with other tools."""
