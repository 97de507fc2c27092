"""A captured request in the words of other programs: curl, Python, HAR. Pure; secrets stay out, as they were captured.

Where a header's value was hidden, the text refers to a variable of the environment instead, so that it still runs.
"""

import base64
import shlex
from dataclasses import dataclass
from typing import Final

import orjson

from callgate.core.messages import Json
from callgate.core.secrets.masking import MASK
from callgate.engine.wires import TRAITS
from callgate.export.har import Head, HttpExchange, har_entry
from callgate.export.http import path_of, unknown_url, upstream_status, without_status
from callgate.ui.traffic.inspector.captured import Captures
from callgate.ui.traffic.row import TrafficRow

KEY_VARIABLE: Final = "API_KEY"
UPSTREAM_VARIABLE: Final = "UPSTREAM_URL"
_NOT_REPEATED: Final = frozenset(
    {"host", "content-length", "connection", "accept-encoding", "transfer-encoding", "x-stainless-retry-count"}
)
"""Headers that belong to the connection: whoever sends again makes them anew."""


@dataclass(frozen=True, slots=True)
class HttpCall:
    """A request that can be made again."""

    url: str
    """May begin with `$UPSTREAM_URL`, where it was not recorded where the endpoint lives."""
    head: Head
    body: bytes
    note: str = ""


def client_call(row: TrafficRow, held: Captures, address: str) -> HttpCall | None:
    """What the client asked of Callgate; None = it was not captured, as with the person's own messages."""
    capture = held.get(("client_request", 0))
    if capture is None:
        return None
    answered = held.get(("client_response", 0))
    pieces = answered.pieces if answered is not None else ()
    url = address + path_of(TRAITS, row.wire, row.asked_model, row.stream, pieces)
    return HttpCall(url, _repeated(capture.head), capture.data)


def upstream_call(row: TrafficRow, number: int, held: Captures) -> HttpCall | None:
    """What Callgate asked of the endpoint in one round."""
    capture = held.get(("upstream_request", number))
    if capture is None or row.upstream_wire is None:
        return None
    if url := row.url_of(number):
        return HttpCall(url, _repeated(capture.head), capture.data)
    traits = TRAITS[row.upstream_wire]
    key = ("authorization", f"Bearer {MASK}") if traits.key_form == "bearer" else (traits.key_form, MASK)
    version = (traits.version_header,) if traits.version_header else ()
    head = (("content-type", "application/json"), key, *version)
    note = f"{UPSTREAM_VARIABLE} is the base address of the endpoint {row.endpoint!r}."
    return HttpCall(
        f"${UPSTREAM_VARIABLE}" + path_of(TRAITS, row.upstream_wire, row.model, row.stream), head, capture.data, note
    )


def as_curl(call: HttpCall) -> str:
    lines = [f"curl {_shell(call.url)}"]
    lines += [f"  -H {_shell(f'{name}: {value}')}" for name, value in call.head]
    try:
        text = call.body.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    before = ""
    if "\0" in text:  # no shell can hold such bytes in an argument
        before = f"echo {base64.b64encode(call.body).decode('ascii')} | base64 -d | "
        lines.append("  --data-binary @-")
    else:
        lines.append(f"  --data-binary {shlex.quote(text)}")
    note = f"# {call.note}\n" if call.note else ""
    return note + before + " \\\n".join(lines)


def as_python(call: HttpCall) -> str:
    uses_environment = "$" in call.url[:1] or any(MASK in value for _, value in call.head)
    lines = ["import os", ""] if uses_environment else []
    lines += ["import httpx", ""]
    lines += [f"# {call.note}", ""] if call.note else []
    lines += ["response = httpx.post(", f"    {_python(call.url)},", "    headers={"]
    lines += [f"        {name!r}: {_python(value)}," for name, value in call.head]
    lines += ["    },", f"    {_python_body(call.body)},", "    timeout=None,", ")", "print(response.text)"]
    return "\n".join(lines) + "\n"


def client_har(row: TrafficRow, held: Captures, address: str) -> str:
    """The client's side of the exchange, to be pasted among the entries of a HAR file."""
    return orjson.dumps(har_entry(http_exchange(row, held, address)), option=orjson.OPT_INDENT_2).decode()


def upstream_har(row: TrafficRow, number: int, held: Captures) -> str:
    """What went to the endpoint in one round and came back; empty = it was not captured."""
    asked, answered = held.get(("upstream_request", number)), held.get(("upstream_response", number))
    if asked is None or row.upstream_wire is None:
        return ""
    url = row.url_of(number) or unknown_url(TRAITS, row.endpoint, row.upstream_wire, row.model, row.stream)
    head = answered.head if answered is not None else ()
    exchange = HttpExchange(
        url,
        asked.at,
        asked.data,
        upstream_status(head, answered is not None),
        answered.pieces if answered is not None else (),
        asked.head,
        without_status(head),
        about={"exchange": row.exchange_id, "round": number, "endpoint": row.endpoint, "model": row.model},
    )
    return orjson.dumps(har_entry(exchange), option=orjson.OPT_INDENT_2).decode()


def http_exchange(row: TrafficRow, held: Captures, address: str) -> HttpExchange:
    asked, answered = held.get(("client_request", 0)), held.get(("client_response", 0))
    pieces = answered.pieces if answered is not None else ()
    about: dict[str, Json] = {
        "exchange": row.exchange_id,
        "conversation": row.conversation_id,
        "agent": row.agent,
        "model": row.model,
        "endpoint": row.endpoint,
    }
    return HttpExchange(
        address + path_of(TRAITS, row.wire, row.asked_model, row.stream, pieces),
        row.at,
        asked.data if asked is not None else b"",
        row.code or 0,
        pieces,
        asked.head if asked is not None else (),
        answered.head if answered is not None else (),
        about=about,
    )


def _repeated(head: Head) -> Head:
    kept = tuple((name, value) for name, value in head if name.lower() not in _NOT_REPEATED)
    named = {name.lower() for name, _ in kept}
    return kept if "content-type" in named else (("content-type", "application/json"), *kept)


def _shell(text: str) -> str:
    """Quoted for a shell, with variables where something was hidden."""
    if MASK not in text and not text.startswith("$"):
        return shlex.quote(text)
    variable = f"${UPSTREAM_VARIABLE}"
    rest = text.removeprefix(variable)
    escaped = rest.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`").replace("$", "\\$")
    return f'"{variable if rest != text else ""}{escaped.replace(MASK, f"${KEY_VARIABLE}")}"'


def _python(text: str) -> str:
    variable = f"${UPSTREAM_VARIABLE}"
    parts: list[str] = []
    if text.startswith(variable):
        parts.append(f'os.environ["{UPSTREAM_VARIABLE}"]')
        text = text.removeprefix(variable)
    for index, piece in enumerate(text.split(MASK)):
        if index:
            parts.append(f'os.environ["{KEY_VARIABLE}"]')
        if piece:
            parts.append(repr(piece))
    return " + ".join(parts) or "''"


def _python_body(body: bytes) -> str:
    try:
        return f"json={_literal(orjson.loads(body), 1)}"
    except orjson.JSONDecodeError:
        return f"content={body!r}"


def _literal(value: Json, depth: int) -> str:
    """A value as Python writes it, indented."""
    pad, end = "    " * (depth + 1), "    " * depth
    match value:
        case dict() if value:
            inner = "".join(f"{pad}{key!r}: {_literal(item, depth + 1)},\n" for key, item in value.items())
            return f"{{\n{inner}{end}}}"
        case list() if value:
            return "[\n" + "".join(f"{pad}{_literal(item, depth + 1)},\n" for item in value) + f"{end}]"
        case _:
            return repr(value)
