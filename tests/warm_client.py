"""`python -I -S warm_client.py SOCKET MODULE ARGUMENTS`: `python -m MODULE ARGUMENTS` in a fork of a server.

It passes its standard streams on, forwards signals, and ends as the fork ends. Without a server, it becomes that
command. It imports little, because it is started hundreds of times.
"""

import _socket
import array
import marshal
import os
import signal
import sys


def become_command(arguments: list[str]) -> None:
    """Replace this process by the real command."""
    os.execv(sys.executable, [sys.executable, "-m", *arguments])


def ask_server(path: str, arguments: list[str]) -> int:
    """Run a command in a fork of the server; returns its exit code, negative for a signal."""
    server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        server.connect(path)
    except OSError:
        become_command(arguments)
    request = marshal.dumps((arguments, os.getcwd(), dict(os.environ)))
    streams = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", range(3)))]
    server.sendmsg([len(request).to_bytes(8, "little")], streams)
    server.sendall(request)
    process = int.from_bytes(server.recv(8), "little")
    if not process:
        become_command(arguments)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: os.kill(process, number))
    for stream in range(3):
        os.close(stream)  # the other end must see when the fork closes its own
    return int.from_bytes(server.recv(8), "little", signed=True)


if __name__ == "__main__":
    code = ask_server(sys.argv[1], sys.argv[2:])
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
