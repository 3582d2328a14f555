"""What 3.15 brought: imports that a list, a setting or a filter makes lazy (PEP 810), also in other modules."""

import sys

import lazy_parts.eager

print("settings", sys.get_lazy_imports())


def wanted(importing, imported, names):
    if importing.startswith(("__main__", "lazy_parts")):
        print("asked", importing, imported, names)
    return imported != "lazy_parts.plain"


sys.set_lazy_imports("all")
sys.set_lazy_imports_filter(wanted)
import lazy_parts.loud
import lazy_parts.quiet as quiet
from lazy_parts.tried import thing

print([type(globals()[name]).__name__ for name in ("quiet", "thing")])
try:
    import lazy_parts.broken
except ValueError as error:
    print("in a try:", error)


def function():
    import lazy_parts.plain as plain

    return plain.thing, "lazy_parts.last" in sys.modules


class Body:
    import lazy_parts.last

    print("lazy_parts.last" in sys.modules)


print(function(), quiet.use())
sys.set_lazy_imports_filter(None)
sys.set_lazy_imports("normal")
lazy import lazy_parts.broken
lazy_parts.broken
