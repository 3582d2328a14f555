"""Starts the server, on standard input and output or on a port of this machine."""

import os
import sys

from lsprotocol import types

from adebug_lsp.frontends.lsp import commands
from adebug_lsp.frontends.lsp.features import (
    ask_by_message,
    code_actions,
    code_lenses,
    diagnostics,
    inlay_values,
    projection,
    symbols,
)
from adebug_lsp.frontends.lsp.server import Server

HOST = "127.0.0.1"


def make_server() -> Server:
    """A server with every feature."""
    server = Server()

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.begin(params)

    @server.feature(types.INITIALIZED)
    def initialized(_params: types.InitializedParams) -> None:
        server.watch()

    @server.feature(types.SHUTDOWN)
    def shutdown(_params: None) -> None:
        server.stop()

    for feature in (
        commands,
        code_lenses,
        code_actions,
        diagnostics,
        projection,
        inlay_values,
        symbols,
        ask_by_message,
    ):
        feature.register(server)
    return server


def serve(port: int | None) -> int:
    """Serve one client until it disconnects; returns the exit code."""
    server = make_server()
    try:
        if port is not None:
            server.start_tcp(HOST, port)
        else:
            _serve_stdio(server)
    finally:
        server.close()
    return 0


def _serve_stdio(server: Server) -> None:
    """Reserve standard input and output for the protocol: a stray `print` must not disturb it."""
    received, sent = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout.flush()
    os.dup2(2, 1)
    with received:
        server.start_io(received, sent)
