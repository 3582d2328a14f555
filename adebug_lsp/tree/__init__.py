"""The execution tree: columns in preorder, with a builder, a file format and transformations. Knows no language."""
