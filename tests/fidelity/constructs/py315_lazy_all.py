"""What 3.15 brought: every import of every module may be lazy, by the environment (PEP 810)."""

import sys
import threading
import lazy_parts.loud as loud
from lazy_parts import quiet
from lazy_parts.named import thing

print(sys.get_lazy_imports(), [type(globals()[name]).__name__ for name in ("loud", "quiet", "thing")])


def uses(n):
    return [loud.double(n), quiet.use(), thing]


def in_thread():
    print("thread", uses(3))


worker = threading.Thread(target=in_thread)
worker.start()
worker.join()
print(uses(4), [type(globals()[name]).__name__ for name in ("loud", "quiet", "thing")])
import lazy_parts.broken
lazy_parts.broken
