"""The front ends: terminal, debug adapter, language server, pytest plug-in."""
