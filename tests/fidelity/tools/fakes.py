"""Tools that replace parts of the library: a clock that stands still or ticks, a file system in memory, other locks."""

import _thread
import datetime
import os
import pathlib
import threading
import time

from freezegun import freeze_time
from pyfakefs.fake_filesystem_unittest import Patcher


class Journal:
    def __init__(self):
        self.lines = []

    def note(self, text):
        self.lines.append(f"{datetime.datetime.now():%H:%M:%S} {text}")
        return self


def work(rounds):
    """Enough records for the tape to be written several times."""
    journal, total = Journal(), 0
    for number in range(rounds):
        total += number
        if number % 5000 == 0:
            journal.note(str(total))
    return journal.lines[:3], total


def store(folder, rounds):
    os.makedirs(folder)
    for number in range(3):
        pathlib.Path(folder, f"{number}.txt").write_text(str(work(rounds)[1] * number))
    return sorted(os.listdir(folder)), [path.read_text() for path in sorted(pathlib.Path(folder).iterdir())]


with freeze_time("2020-02-02 12:00:00"):
    print(work(20_000), time.time())
with freeze_time("2020-02-02 12:00:00", auto_tick_seconds=15):
    print(work(20_000), time.monotonic(), time.time())
with Patcher() as patcher:
    print(store("/somewhere/far", 10_000), patcher.fs.exists("/somewhere/far/1.txt"))
    import late

    print(late.double(21))
print(os.path.exists("/somewhere"))


class Lock:
    """Counts, as the locks of green threads do, and says so."""

    made = 0

    def __init__(self):
        Lock.made += 1

    def acquire(self, *_args, **_kwargs):
        return True

    def release(self):
        pass

    __enter__ = acquire

    def __exit__(self, *_error):
        pass


kept = threading.Lock, threading.RLock, threading.get_ident, threading.current_thread, _thread.allocate_lock, time.sleep
threading.Lock = threading.RLock = _thread.allocate_lock = Lock
threading.get_ident, threading.current_thread, time.sleep = (lambda: 77), (lambda: None), print
try:
    print(work(20_000)[1], Lock.made, threading.get_ident())
finally:
    threading.Lock, threading.RLock, threading.get_ident, threading.current_thread = kept[:4]
    _thread.allocate_lock, time.sleep = kept[4:]
