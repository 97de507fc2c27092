"""A headless Chromium that opens a page through a proxy which only writes down whom it was asked to reach.

Where there is none (Debian: `apt-get install chromium`), tests are skipped and say so.
"""

import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

CHROMIUM: Final = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
needs_chromium: Final = pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium on the PATH")
SECONDS: Final = 50
_FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-extensions",
    "--proxy-bypass-list=<-loopback>", "--virtual-time-budget=2000",
)  # fmt: skip
"""Chromium has errands of its own; these keep it from most of them."""
_ERRANDS: Final = (b".google.com", b".googleapis.com", b".gstatic.com")
"""Whom it asks all the same, whatever page it shows: the time, for one."""


@dataclass(frozen=True, slots=True)
class Seen:
    dom: str
    """The page as the browser understood it."""
    asked: tuple[bytes, ...]
    """What it asked of anybody but its maker, by the first line."""


def open_page(path: Path, folder: Path) -> Seen:
    with _recording_proxy() as (port, heard):
        own = (f"--user-data-dir={folder}", f"--proxy-server=http://127.0.0.1:{port}", "--dump-dom", path.as_uri())
        done = subprocess.run([CHROMIUM, *_FLAGS, *own], capture_output=True, timeout=SECONDS, check=True)
    lines = [request.partition(b"\r\n")[0] for request in heard]
    return Seen(done.stdout.decode("utf-8"), tuple(line for line in lines if not _is_errand(line)))


def _is_errand(line: bytes) -> bool:
    """`GET http://host/… HTTP/1.1`, or `CONNECT host:443 HTTP/1.1`."""
    target = line.split(b" ")[1] if b" " in line else b""
    host = (target.partition(b"://")[2] or target).partition(b"/")[0].partition(b":")[0]
    return host.endswith(_ERRANDS)


@contextmanager
def _recording_proxy() -> Iterator[tuple[int, list[bytes]]]:
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    client.settimeout(1)
                    try:
                        heard.append(client.recv(2000))
                    except OSError:
                        heard.append(b"")

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        yield server.getsockname()[1], heard
        server.shutdown(socket.SHUT_RDWR)
    thread.join(5)
