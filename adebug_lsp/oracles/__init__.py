"""Oracles answer questions: one module for each, and the chain that ranks them."""
