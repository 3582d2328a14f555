"""The extension for IPython and notebooks: the magics `%adebug` and `%%adebug`."""
