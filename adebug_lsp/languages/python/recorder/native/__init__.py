"""The optional accelerator in C. Everything works without it; both ways are read as the same."""
