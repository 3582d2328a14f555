"""Whoever can answer a question: one module for each oracle, and the chain that ranks them."""
