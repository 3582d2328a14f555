"""Other processes: subprocess, multiprocessing, fork, with functions of this file."""

import multiprocessing
import os
import subprocess
import sys


def square(n):
    return n * n


def report(connection, value):
    connection.send((value, square(value), __name__ == "__main__"))
    connection.close()


def caught():
    """The signals that run a handler, where the system tells."""
    if not os.path.exists("/proc/self/status"):
        return None
    with open("/proc/self/status") as status:
        mask = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))
    return [number for number in range(1, 32) if mask >> (number - 1) & 1]


def main():
    done = subprocess.run([sys.executable, "-c", "import sys; print(sys.argv, __name__); sys.exit(4)", "x"], capture_output=True)
    print(done.returncode, done.stdout.decode().strip(), done.stderr)
    done = subprocess.run([sys.executable, __file__, "child"], capture_output=True, text=True)
    print(done.returncode, done.stdout, done.stderr)
    for method in multiprocessing.get_all_start_methods():
        if method == "forkserver":
            continue
        context = multiprocessing.get_context(method)
        ours, theirs = context.Pipe()
        process = context.Process(target=report, args=(theirs, 7))
        process.start()
        theirs.close()
        print(method, ours.recv(), process.join(), process.exitcode)
    if hasattr(os, "fork"):
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            print("caught in a child", caught(), flush=True)
            os._exit(square(3))
        print("forked", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(square, range(4)))


if sys.argv[1] == "child":
    print("child", square(5))
    sys.exit(6)
if __name__ == "__main__":
    main()
