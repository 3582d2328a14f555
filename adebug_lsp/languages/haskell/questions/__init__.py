"""The nodes of a Haskell run: equations of the evaluation dependency tree, and the expressions inside a reduction."""
