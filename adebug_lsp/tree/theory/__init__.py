"""The property checker and Table 1 of the paper. The product imports none of it."""
