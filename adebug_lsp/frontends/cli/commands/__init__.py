"""The commands of `adebug`, one module each."""
