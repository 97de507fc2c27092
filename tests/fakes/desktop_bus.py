"""A real bus for one test (dbus-daemon) and services on it, each a process of its own."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

SERVICE = Path(__file__).with_name("desktop_service.py")
_PYTHON = "/usr/bin/python3"
_SECONDS = 10.0


def lacking() -> str:
    """What this machine lacks of it; empty = nothing."""
    if shutil.which("dbus-daemon") is None:
        return "dbus-daemon"
    known = (
        Path(_PYTHON).exists()
        and not subprocess.run(
            [_PYTHON, "-c", "from gi.repository import Gio"], capture_output=True, check=False
        ).returncode
    )
    return "" if known else "python3-gi"


class Service:
    def __init__(self, address: str, kind: str, how: str = "") -> None:
        argv = [_PYTHON, str(SERVICE), address, kind, how]
        self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.heard: list[dict[str, Any]] = []
        """What was asked of it, as far as it has been read."""
        self.read_until("ready")

    def do(self, line: str) -> None:
        """Returns when it is done and on its way."""
        self.tell(line)
        self.read_until("done")

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def read_until(self, key: str, value: str = "") -> dict[str, Any]:
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            told = json.loads(line)
            if key in told and value in ("", told[key]):
                return told
            self.heard.append(told)
        raise AssertionError(f"the service ended without saying {key} {value}")

    def end(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(_SECONDS)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


class RealBus:
    def __init__(self) -> None:
        self._daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._daemon.stdout is not None
        self.address = self._daemon.stdout.readline().strip()
        self._services: list[Service] = []

    def service(self, kind: str, how: str = "") -> Service:
        service = Service(self.address, kind, how)
        self._services.append(service)
        return service

    def end(self) -> None:
        """The bus itself goes away."""
        if self._daemon.poll() is None:
            self._daemon.terminate()
        self._daemon.wait(_SECONDS)

    def close(self) -> None:
        for service in self._services:
            service.end()
        self.end()
        assert self._daemon.stdout is not None
        self._daemon.stdout.close()
