"""Languages: the contract, the registry, and one folder for each; front ends use the contract and the registry only."""
