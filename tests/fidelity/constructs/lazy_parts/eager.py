print("eager is imported")
__lazy_modules__ = ["lazy_parts.named", "json.tool"]
import lazy_parts.named
import lazy_parts.plain
from lazy_parts.named import thing
try:
    import lazy_parts.tried
except ImportError:
    raise
print("end of eager", type(globals()["thing"]).__name__)
print(thing)
