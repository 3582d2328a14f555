"""Oracles, which answer questions: one module each, and the chain that ranks them."""
