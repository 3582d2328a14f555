"""The vocabulary that all packages share, as frozen attrs classes: no I/O, no language, no protocol, no algorithm."""
