"""Threads, locks, queues, pools, and what each thread has of its own."""

import contextvars
import queue
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

local = threading.local()
variable = contextvars.ContextVar("variable", default=0)
lock = threading.Lock()
total = 0


def add(times):
    global total
    for _ in range(times):
        with lock:
            total += 1


def run_all(target, *arguments):
    threads = [threading.Thread(target=target, args=arguments, name=f"worker {n}") for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


run_all(add, 500)
print(total, threading.active_count(), threading.current_thread().name)
results = {}


def own():
    local.value = threading.current_thread().name
    variable.set(variable.get() + 1)
    results[local.value] = variable.get()


run_all(own)
print(sorted(results.items()), hasattr(local, "value"), variable.get())
channel, answers = queue.Queue(), queue.Queue()


def serve():
    for item in iter(channel.get, None):
        answers.put(fib(item))


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


server = threading.Thread(target=serve, daemon=True)
server.start()
for n in range(8):
    channel.put(n)
channel.put(None)
server.join()
print([answers.get() for _ in range(8)])
with ThreadPoolExecutor(3) as pool:
    print(list(pool.map(fib, range(8))), pool.submit(divmod, 17, 5).result())
    failed = pool.submit(lambda: {}["missing"])
    print(repr(failed.exception()))
barrier = threading.Barrier(3)
passed = []


def meet(name):
    barrier.wait()
    passed.append(name)


meeting = [threading.Thread(target=meet, args=(n,)) for n in range(2)]
for thread in meeting:
    thread.start()
meet("main")
for thread in meeting:
    thread.join()
print(sorted(map(str, passed)))
condition, ready = threading.Condition(), []


def wait_for_it():
    with condition:
        condition.wait_for(lambda: ready)
        print("woken", ready)


waiting = threading.Thread(target=wait_for_it)
waiting.start()
with condition:
    ready.append(True)
    condition.notify_all()
waiting.join()
hooked = []
threading.excepthook = lambda arguments: hooked.append((arguments.exc_type.__name__, arguments.thread.name))
dying = threading.Thread(target=lambda: 1 / 0, name="dying")
dying.start()
dying.join()
print(hooked)


def recurse(depth):
    return 0 if depth == 0 else 1 + recurse(depth - 1)


deep = []
thread = threading.Thread(target=lambda: deep.append(recurse(200)))
thread.start()
thread.join()
print(deep, sys.getswitchinterval())
timer = threading.Timer(0.01, print, ["timer fired"])
timer.start()
timer.join()
