"""Transformations of an execution tree into another one, with the mappings back to the original.

One module per transformation. None of them recurses, and each takes (near) linear time, so that deep and wide trees
of millions of nodes can be transformed; the original tree is never changed.
"""
