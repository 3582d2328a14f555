"""What people and programs meet: the terminal, the debug adapter, the language server, the pytest plug-in."""
