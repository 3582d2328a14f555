"""Transformations: from an execution tree to another one, with the mappings that lead back to the first.

One module per transformation. None of them recurses, and each takes (near) linear time, so that deep and wide trees
of millions of nodes can be transformed; the tree that was given is never changed.
"""
