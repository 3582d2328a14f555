"""Typed access to parsed settings."""

from settings.convert import convert
from settings.parser import parse


class Settings:
    def __init__(self, text):
        self._sections = parse(text)

    def raw(self, section, key):
        return self._sections[section][key]

    def get(self, section, key, default):
        """The value, of the default's type; the default if the key is missing."""
        try:
            return convert(self.raw(section, key), type(default))
        except KeyError:
            return default

    def sections(self):
        return sorted(name for name in self._sections if name)


def load_server(text):
    settings = Settings(text)
    return {
        "port": settings.get("server", "port", 8080),
        "debug": settings.get("server", "debug", False),
        "hosts": settings.get("server", "hosts", []),
    }
