"""Bytes over a plain socket, as no well-behaved client would send them."""

import contextlib
import socket
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 10.0


@contextmanager
def connection(address: str) -> Iterator[socket.socket]:
    host, _, port = address.removeprefix("http://").rpartition(":")
    with socket.create_connection((host.strip("[]"), int(port)), timeout=SECONDS) as opened:
        yield opened


def rest_of(opened: socket.socket) -> bytes:
    """Everything until the server closes."""
    found = bytearray()
    try:
        while chunk := opened.recv(65536):
            found += chunk
    except ConnectionResetError:  # it closed while bytes of ours were on their way
        pass
    return bytes(found)


def one_answer(opened: socket.socket) -> bytes:
    """One response of a stated length, and nothing of what follows it."""
    found = bytearray()
    while b"\r\n\r\n" not in found:
        byte = opened.recv(1)
        if not byte:
            return bytes(found)
        found += byte
    length = next(int(line.split(b":")[1]) for line in found.split(b"\r\n") if line.startswith(b"content-length:"))
    while length and (chunk := opened.recv(length)):
        found += chunk
        length -= len(chunk)
    return bytes(found)


def sent(address: str, data: bytes) -> bytes:
    """What comes back until the server closes."""
    with connection(address) as opened:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it has heard enough
            opened.sendall(data)
        return rest_of(opened)


def status_of(answer: bytes) -> int:
    """Of the first response; 0 = closed without one."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0
