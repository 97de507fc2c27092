"""A client that is kept waiting: one request on a socket of its own, of which it is known what came when."""

import http.client
import threading
import time

import orjson
from tests.fakes.asking import Asking


class HeldClient:
    """One request on a socket of its own, read as it comes; the time of everything is kept."""

    def __init__(self, address: str, asked: Asking, headers: dict[str, str] | None = None) -> None:
        self._connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
        self._asked = asked
        self._headers = {"content-type": "application/json", "authorization": "Bearer k", **(headers or {})}
        self._grown = threading.Condition()
        self.status = 0
        self.headers_at = 0.0
        self.writes: list[tuple[float, bytes]] = []
        self.ended = False
        self._thread = threading.Thread(target=self._read, name="client")
        self._thread.start()

    def _read(self) -> None:
        try:
            self._connection.request("POST", self._asked.path, orjson.dumps(self._asked.body), self._headers)
            response = self._connection.getresponse()
            with self._grown:
                self.status, self.headers_at = response.status, time.time()
            while data := response.read1(65536):
                with self._grown:
                    self.writes.append((time.time(), data))
                    self._grown.notify_all()
        except (OSError, http.client.HTTPException, ValueError):
            pass  # hung up by the test
        finally:
            with self._grown:
                self.ended = True
                self._grown.notify_all()

    def until(self, count: int) -> list[tuple[float, bytes]]:
        with self._grown:
            assert self._grown.wait_for(lambda: len(self.writes) >= count or self.ended, 10), self.writes
            return list(self.writes)

    def stay_until(self, moment: float) -> None:
        """Reads on until then; a client that is kept alive hears something again and again."""
        while time.time() < moment:
            self.until(len(self.writes) + 1)
            assert not self.ended

    @property
    def body(self) -> bytes:
        return b"".join(data for _, data in self.writes)

    def whole(self) -> bytes:
        self._thread.join(10)
        assert self.ended
        self._connection.close()
        return self.body

    def hang_up(self) -> None:
        if self._connection.sock is not None:
            self._connection.sock.shutdown(2)
        self._thread.join(10)
        self._connection.close()
