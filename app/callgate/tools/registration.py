"""A tool that a program registers over HTTP: how it is written, and what of it can't be taken.

It is answered by a callback on this machine or by the person; nothing is ever sent anywhere else.
"""

import ipaddress
import re
from dataclasses import dataclass
from typing import Literal

import httpx

from callgate.core.calls.wording import Wording, unknown_places
from callgate.core.catalog.when import BadCondition, read_condition
from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields, check_schema, check_tool_name, wrong_type
from callgate.core.json.text import dump_bytes
from callgate.core.messages import Json
from callgate.core.tool import ANSWERED_BY_PERSON, PERSON_SOURCE, Annotations, Schema, Tool

REGISTERED_SOURCE = "registered"
NAME = "^[a-zA-Z0-9_-]{1,64}$"
LARGEST = 256 * 1024
"""Bytes of one definition; each goes to the model with every request."""
LONGEST_SECONDS = 3600.0

_FIELDS = (
    "name", "title", "description", "userDescription", "inputSchema", "outputSchema", "referenceName", "tags",
    "annotations", "icons", "when", "callback_url", "answered_by", "persist", "timeout_seconds", "prepare",
)  # fmt: skip
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_PREPARE = ("title", "message", "invocationMessage", "pastTenseMessage", "disclaimer")
_REFERENCE = re.compile(r"[A-Za-z_][\w-]{0,63}")


@dataclass(frozen=True, slots=True)
class Registration:
    tool: Tool
    answered_by: Literal["callback", "person"]
    callback_url: str = ""
    persist: bool = False
    body: bytes = b""
    """As it can be written down and read again."""


def read_registration(value: Json) -> Registration:
    """Raises `BadRequest` naming the field."""
    fields = Fields(value)
    unknown = next(iter(fields.rest(*_FIELDS)), None)
    if unknown is not None:
        raise BadRequest(
            f"Unknown parameter: '{unknown}'. Known are: {', '.join(_FIELDS)}.", unknown, code="unknown_parameter"
        )
    body = dump_bytes(fields.value)
    if len(body) > LARGEST:
        raise BadRequest(f"The definition is larger than {LARGEST // 1024} KB.", "body", code="request_too_large")
    answered_by, url = _answerer(fields)
    return Registration(_tool(fields, url), answered_by, url, fields.boolean("persist", False), body)


def loopback_problem(url: str) -> str:
    """Why a callback must not go to an address; empty = it may. Names are not looked up: they could change."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as bad:
        return f"it is not a URL ({bad})"
    if parsed.scheme not in ("http", "https") or not parsed.host:
        return "only http:// and https:// addresses can be called"
    if parsed.userinfo:
        return "it holds a user name or password"
    if parsed.host == "localhost":
        return ""
    try:
        address = ipaddress.ip_address(parsed.host.strip("[]"))
    except ValueError:
        return f"{parsed.host} is not this machine: use 127.0.0.1, [::1] or localhost"
    return "" if address.is_loopback else f"{parsed.host} is not this machine: use 127.0.0.1, [::1] or localhost"


def _answerer(fields: Fields) -> tuple[Literal["callback", "person"], str]:
    by = fields.one_of("answered_by", ("callback", "person"), "callback")
    url = fields.text("callback_url", "")
    if by == "person":
        if url:
            raise BadRequest("A tool that a person answers has no callback_url.", "callback_url", code="invalid_value")
        return "person", ""
    if not url:
        raise BadRequest(
            "Missing required parameter: 'callback_url' (or answered_by: \"person\").",
            "callback_url",
            code="missing_required_parameter",
        )
    if problem := loopback_problem(url):
        raise BadRequest(f"Invalid 'callback_url': {problem}.", "callback_url", code="invalid_value")
    return "callback", url


def _tool(fields: Fields, url: str) -> Tool:
    by_person = not url
    tags = tuple(fields.texts("tags"))
    return Tool(
        check_tool_name(fields.text("name"), "name", NAME),
        PERSON_SOURCE if by_person else REGISTERED_SOURCE,
        fields.text("description", ""),
        _schema(fields, "inputSchema") or {"type": "object", "properties": {}},
        title=fields.text("title", ""),
        user_description=fields.text("userDescription", ""),
        reference_name=_reference(fields),
        tags=(*(tag for tag in tags if tag != ANSWERED_BY_PERSON), *([ANSWERED_BY_PERSON] if by_person else [])),
        output_schema=_schema(fields, "outputSchema"),
        annotations=_annotations(fields),
        icons=tuple(fields.texts("icons")),
        when=_condition(fields),
        runs="a person answers" if by_person else f"POST {url}",
        timeout_seconds=_seconds(fields),
        wording=_wording(fields),
    )


def _schema(fields: Fields, key: str) -> Schema | None:
    return check_schema(fields.raw(key), key) if key in fields else None


def _reference(fields: Fields) -> str:
    name = fields.text("referenceName", "")
    if name and _REFERENCE.fullmatch(name) is None:
        raise BadRequest(
            "Invalid 'referenceName': expected a word of letters, digits, '_' and '-'.",
            "referenceName",
            code="invalid_value",
        )
    return name


def _condition(fields: Fields) -> str:
    when = fields.text("when", "")
    try:
        read_condition(when)
    except BadCondition as bad:
        raise BadRequest(f"Invalid 'when': {bad}.", "when", code="invalid_value") from bad
    return when


def _annotations(fields: Fields) -> Annotations:
    hints = fields.child("annotations")
    if hints is None:
        return Annotations()
    return Annotations(*(hints.boolean(name, None) for name in _HINTS))


def _wording(fields: Fields) -> Wording:
    said = fields.child("prepare")
    if said is None:
        return Wording()
    unknown = next(iter(said.rest(*_PREPARE, "reviewResult")), None)
    if unknown is not None:
        raise BadRequest(f"Unknown parameter: 'prepare.{unknown}'.", f"prepare.{unknown}", code="unknown_parameter")
    wording = Wording(*(said.text(name, "") for name in _PREPARE), review_result=said.boolean("reviewResult", False))
    if missing := unknown_places(wording, _schema(fields, "inputSchema") or {}):
        raise BadRequest(
            f"Invalid 'prepare': {missing[0]!r} is no parameter of inputSchema.", "prepare", code="invalid_value"
        )
    return wording


def _seconds(fields: Fields) -> float | None:
    seconds = fields.number("timeout_seconds", None)
    if seconds is not None and not 0 < seconds <= LONGEST_SECONDS:
        raise wrong_type("timeout_seconds", f"a number above 0 and up to {LONGEST_SECONDS:g}", seconds)
    return seconds
