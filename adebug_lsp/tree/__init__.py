"""The execution tree: columns in preorder, how to build, store, view and transform them. It knows no language."""
