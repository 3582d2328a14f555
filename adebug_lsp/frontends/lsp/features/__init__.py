"""Language server features, one module each; every module registers itself."""
