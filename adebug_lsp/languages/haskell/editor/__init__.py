"""Editor support for Haskell sources: outline, checks, types of names."""
