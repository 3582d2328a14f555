"""The frame of recording files, which all languages share."""
