"""The instrumenter: rewrites modules so that they record their own execution, with unchanged behaviour and order."""
