"""Algorithm 1: ask, answer, undo, revise, mark, zoom, verdict. It knows no language and no protocol."""
