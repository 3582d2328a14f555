"""Editor support for Python sources: the outline, parsed incrementally."""
