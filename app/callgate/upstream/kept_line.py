"""Whether a request went over a connection that was kept from an earlier one.

Servers close connections that nobody uses, some just as they are used again: whoever then gets no answer at all knows
that nobody has read the request, and may send it over another connection. Told by the events of httpx's transport; one
that tells nothing has kept nothing.
"""

from typing import Any

_OPENED = "connection.connect_tcp.started"
_USED = "http11.send_request_headers.started"


class KeptLine:
    def __init__(self) -> None:
        self._opened = False
        self._used = False

    async def hear(self, event: str, info: Any) -> None:
        """For a request's extension `trace`."""
        self._opened = self._opened or event == _OPENED
        self._used = self._used or event == _USED

    @property
    def was_kept(self) -> bool:
        return self._used and not self._opened
