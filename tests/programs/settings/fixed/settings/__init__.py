"""Settings from text, with sections, defaults and types."""
