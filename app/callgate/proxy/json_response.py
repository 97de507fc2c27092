"""JSON answers and errors in the words of a wire."""

from collections.abc import Mapping

from starlette.responses import Response

from callgate.core.errors import Fault
from callgate.core.json.text import dump_bytes
from callgate.core.messages import Json
from callgate.wire.codec import Codec


def json_response(value: Mapping[str, Json], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(dump_bytes(value), status, dict(headers or {}), "application/json")


def error_response(codec: Codec, fault: Fault) -> Response:
    written = codec.write_error(fault)
    return json_response(written.body, written.status, written.headers)
