"""Types: Hindley-Milner inference with type classes, whose dictionaries become arguments."""
