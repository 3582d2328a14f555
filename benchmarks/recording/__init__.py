"""Overhead of recording: CPU time, memory and file size relative to the bare run, compared with other tools."""
