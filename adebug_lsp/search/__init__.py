"""Which node to ask about next: the suspicious area of a tree, and one module for each family of strategies."""
