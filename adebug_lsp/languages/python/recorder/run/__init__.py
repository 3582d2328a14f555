"""Runs the program under the recorder: as `__main__`, as a module, under pytest, in threads and sub-interpreters."""
