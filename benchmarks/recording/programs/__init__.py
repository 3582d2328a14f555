"""CPU-bound programs of different styles, each with a `main(size)` that returns something to check."""
