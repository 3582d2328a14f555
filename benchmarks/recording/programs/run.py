"""`python run.py NAME SIZE [SECONDS]`: runs a program's `main(SIZE)` and prints the measurements as one line of JSON.

With SECONDS it repeats the run until that much CPU time has passed, so that short runs can be timed.
"""

import importlib
import json
import sys
import time


def most_memory():
    """Peak memory of this process in bytes, if the system reports it for this process alone."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


def run(name, size, least):
    program = importlib.import_module(name)
    times = 0
    begin = time.process_time()
    while not times or time.process_time() - begin < least:
        result = program.main(size)
        times += 1
    seconds, ended = (time.process_time() - begin) / times, time.time()
    return {"seconds": seconds, "ended": ended, "memory": most_memory(), "result": repr(result)}


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 0.0)))
