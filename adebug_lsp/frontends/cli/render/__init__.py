"""Builds the text that the terminal shows. Functions return lines; none prints."""
