"""What 3.14 brought: several interpreters in one process (PEP 734), and other new things of the library."""

import concurrent.futures
import functools
import operator
import pathlib
import sys
from concurrent import interpreters
from parts import simple


def stateless(a):
    import math

    return math.floor(a * 2 + 0.5)


def pure(text):
    return text.upper() + "!"


def fails():
    raise ValueError("inside")


other = interpreters.create()
print(other.is_running(), len(interpreters.list_all()), interpreters.get_current() == interpreters.get_main())
other.prepare_main(given=5)
other.exec("print('from the other:', given + 1, flush=True)")
other.exec("""if True:
    import sys
    print(sorted(name for name in sys.modules if 'adebug' in name), flush=True)
""")
for called, given in ((stateless, 3), (pure, "text"), (simple.double, 4), (len, (1, 2, 3))):
    try:
        print(called.__name__, other.call(called, given))
    except interpreters.NotShareableError as error:
        print(called.__name__, type(error).__name__, error)
try:
    other.call(fails)
except interpreters.ExecutionFailed as error:
    print(type(error).__name__, error)
queue = interpreters.create_queue()
queue.put((1, "two", None))
print(queue.get())
sys.stdout.flush()
worker = other.call_in_thread(print, "in a thread")
worker.join()
other.close()
with concurrent.futures.InterpreterPoolExecutor(max_workers=1) as pool:
    print(list(pool.map(pow, [2, 3], [3, 2])), pool.submit(simple.double, 4).result())
print(functools.partial(operator.sub, functools.Placeholder, 1)(5), pathlib.Path("a/b").name, sys._is_gil_enabled())
