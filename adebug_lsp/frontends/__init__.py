"""The front ends: terminal, debug adapter, language server, notebooks, pytest plug-in."""
