"""An endpoint as it is being written down, and what is wrong with it, field by field. Pure.

Nothing that looks like a key may get into a field: fields are written to a file.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from callgate.core.config.settings import UpstreamSettings, VertexSettings
from callgate.core.request import WireName
from callgate.core.secrets.masking import mask

KeyChoice = Literal["client", "environment", "keyring", "google"]
"""Where its key comes from: the asking program's own, a variable, the keyring, or Google's login."""
DraftField = Literal["name", "address", "wires", "models", "key_env", "dialect", "project", "location"]

_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY = re.compile(r"[\x21-\x7e]+")
_PLACE = re.compile(r"[A-Za-z0-9:._-]+")
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "0.0.0.0"})


@dataclass(frozen=True, slots=True)
class EndpointDraft:
    name: str = ""
    wires: tuple[WireName, ...] = ()
    address: str = ""
    models: str = "*"
    """Globs, apart by commas, spaces or lines."""
    key: KeyChoice = "client"
    key_env: str = ""
    dialect: str = ""
    project: str = ""
    location: str = ""
    api_version: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a draft must fit into."""

    taken: Collection[str] = ()
    """Names of other endpoints."""
    dialects: Collection[str] = ()
    own_address: str = ""
    """Where Callgate itself listens."""
    vertex_wires: Collection[WireName] = ()
    """Those that Google's Vertex speaks."""


@dataclass(frozen=True, slots=True)
class DraftJudgement:
    settings: UpstreamSettings | None
    """What it says, if it can be used."""
    problems: Mapping[DraftField, str] = field(default_factory=dict[DraftField, str])
    """What is wrong, at the field where it can be mended."""
    missing: Mapping[DraftField, str] = field(default_factory=dict[DraftField, str])
    """What has yet to be said."""
    notes: tuple[str, ...] = ()
    """What the person should know of it."""


def draft_of(settings: UpstreamSettings) -> EndpointDraft:
    """Settings as they would have been written down."""
    place = settings.vertex
    return EndpointDraft(
        settings.name,
        settings.wire,
        settings.base_url,
        ", ".join(settings.models),
        key_choice(settings),
        settings.key_env,
        settings.dialect,
        place.project if place else "",
        place.location if place else "",
        settings.api_version,
    )


def key_choice(settings: UpstreamSettings) -> KeyChoice:
    if settings.key_env:
        return "environment"
    if settings.key == "keyring":
        return "keyring"
    return "google" if settings.vertex is not None else "client"


def judge(draft: EndpointDraft, around: Surroundings) -> DraftJudgement:
    """What it comes to."""
    said: dict[DraftField, str] = {
        "name": _name(draft.name, around.taken),
        "wires": "" if not draft.project else _vertex_wires(draft, around.vertex_wires),
        "address": _address(draft.address, around.own_address),
        "key_env": _variable(draft) if draft.key == "environment" else "",
        "models": "A pattern holds no key." if _is_secret(draft.models) else "",
        "dialect": _dialect(draft.dialect, around.dialects),
        "project": _place(draft.project),
        "location": _place(draft.location),
    }
    problems: dict[DraftField, str] = {name: words for name, words in said.items() if words}
    missing = _missing(draft)
    if problems or missing:
        return DraftJudgement(None, problems, missing)
    return DraftJudgement(_settings(draft), notes=_notes(draft))


def globs_of(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, re.split(r"[\s,;]+", text))))


def is_loopback(address: str) -> bool:
    return (_host(address) or "") in _LOOPBACK


# ---- one field after the other --------------------------------------------------------------------------------------


def _name(name: str, taken: Collection[str]) -> str:
    if name in taken:
        return f"There is another endpoint named {name}."
    if name and not _NAME.fullmatch(name):
        return "A name has letters, digits and - _ . only: it can stand before a model's, as in name/model."
    return "This looks like a key: a name is written to a file." if _is_secret(name) else ""


def _vertex_wires(draft: EndpointDraft, spoken: Collection[WireName]) -> str:
    foreign = [wire for wire in draft.wires if wire not in spoken]
    return f"Vertex speaks {' and '.join(spoken)}, not {foreign[0]}." if foreign and not draft.address else ""


def _address(address: str, own: str) -> str:
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return "This is no valid address."
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "An address begins with http:// or https://, such as http://127.0.0.1:8000/v1."
    if parts.username or parts.password or _is_secret(address):
        return "A key does not belong into the address, which is written to a file. Give it below."
    if parts.fragment:
        return "The address ends before #, which no server gets to see."
    if any(character.isspace() for character in address):
        return "There is a space in the address."
    if own and is_loopback(address) and port is not None and port == urlsplit(own).port:
        return "This is where Callgate itself listens: requests would go round in circles."
    return ""


def _variable(draft: EndpointDraft) -> str:
    name = draft.key_env
    if _is_secret(name):
        return "This looks like the key itself. Here goes the name of the variable that holds it."
    if name and not _VARIABLE.fullmatch(name):
        return "A variable's name has letters, digits and _ only, such as OPENAI_API_KEY."
    return ""


def _dialect(dialect: str, known: Collection[str]) -> str:
    if not dialect or dialect in known:
        return ""
    return f"This dialect is not known; known are {', '.join(sorted(known))}."


def _place(text: str) -> str:
    return "" if not text or _PLACE.fullmatch(text) else "Letters, digits and - only, as Google Cloud shows it."


def _missing(draft: EndpointDraft) -> dict[DraftField, str]:
    wanted: list[tuple[DraftField, bool, str]] = [
        ("name", not draft.name, "A name is needed."),
        ("wires", not draft.wires, "At least one protocol is needed."),
        ("models", not globs_of(draft.models), "At least one pattern is needed; * means every model."),
        ("key_env", draft.key == "environment" and not draft.key_env, "The name of the variable is needed."),
    ]
    if draft.key == "google" or draft.project or draft.location:
        wanted.append(("project", not draft.project, "The project is needed."))
        wanted.append(("location", not draft.location, "The location is needed, such as global or us-east5."))
    else:
        wanted.append(("address", not draft.address, "The address is needed."))
    return {name: words for name, lacks, words in wanted if lacks}


def _notes(draft: EndpointDraft) -> tuple[str, ...]:
    if draft.address.startswith("http://") and not is_loopback(draft.address):
        return ("Over http:// everything, the key too, can be read on its way. Use https:// where there is one.",)
    return ()


def _settings(draft: EndpointDraft) -> UpstreamSettings:
    return UpstreamSettings(
        name=draft.name,
        wire=draft.wires,
        base_url=draft.address,
        key_env=draft.key_env if draft.key == "environment" else "",
        key="keyring" if draft.key == "keyring" else "",
        models=globs_of(draft.models),
        dialect=draft.dialect,
        vertex=VertexSettings(project=draft.project, location=draft.location) if draft.project else None,
        api_version=draft.api_version,
    )


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _is_secret(text: str) -> bool:
    return mask(text) != text


def key_problem(key: str) -> str:
    """Why a text can be no key, in words; empty = it can. Never repeats it."""
    text = key.strip()
    if text.casefold().startswith("bearer "):
        return "Only the key itself, without Bearer."
    return "" if not text or _KEY.fullmatch(text) else "A key has no spaces and no special characters."
