"""The optional accelerator in C. Everything works without it, with equivalent recordings."""
