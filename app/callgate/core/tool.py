"""Tools: what a model is offered (`ToolSpec`), and what the catalog knows of one it can run (`Tool`)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import orjson

from callgate.core.calls.wording import Wording
from callgate.core.messages import CallVariant, Extras, Json, ResultPart
from callgate.core.schema.plain_arguments import plain_arguments

Schema = Mapping[str, Json]
Owner = Literal["client", "gate"]
"""Who runs the call: the program that asked, or Callgate."""

CLIENT_SOURCE = "client"
"""The source of every tool that a client brings along and runs itself."""

PERSON_SOURCE = "a person"
"""The source of tools that only a person can answer: their calls are always asked about and never just approved.

Like the next, a name that no configured source can have: names of sources have no spaces.
"""

GROUP_SOURCE = "tool groups"
"""The source of tools that stand for a group of others: a call only shows these, so nobody is asked about it."""

RUN_BY_CALLGATE = frozenset({PERSON_SOURCE, GROUP_SOURCE})
"""Sources whose calls no client can run, whatever it asked for."""

ANSWERED_BY_PERSON = "answered-by-person"
"""The tag of tools that only a person can answer."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered to a model."""

    name: str
    description: str = ""
    schema: Schema | None = None
    """None = no parameters were declared."""
    strict: bool | None = None
    variant: CallVariant = "function"
    format: Json = None
    """A custom tool's grammar, as OpenAI Responses spells it: {type, syntax, definition}."""
    namespace: str = ""
    extras: Extras = field(default_factory=dict[str, Json])
    kind: Literal["spec"] = "spec"

    @property
    def definition(self) -> dict[str, Json]:
        """What a person approves when a client's own tool is approved.

        Without `extras` and `strict`: clients move cache marks from tool to tool with every request.
        """
        said: dict[str, Json] = {
            "name": self.name,
            "source": CLIENT_SOURCE,
            "description": self.description,
            "schema": dict(self.schema or {}),
        }
        if self.format is not None:
            said["format"] = self.format
        if self.namespace:
            said["namespace"] = self.namespace
        return said

    @property
    def fingerprint(self) -> str:
        """Of a tool that the client runs: the same from every agent, whatever the order of keys."""
        return _digest(self.definition)


@dataclass(frozen=True, slots=True)
class HostedTool:
    """A tool that the provider itself runs (web search …): only the wire it came from can spell it."""

    wire: str
    value: Json
    kind: Literal["hosted"] = "hosted"


@dataclass(frozen=True, slots=True)
class Annotations:
    """What a tool says of itself: hints, never proof. None = it does not say."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None

    @property
    def may_be_repeated(self) -> bool:
        """MCP lets only tools that change something say `idempotent`; one that changes nothing is so by nature."""
        return self.idempotent is True or self.read_only is True


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the catalog."""

    name: str
    """Unique in the catalog and fit for every wire."""
    source: str
    description: str = ""
    """For the model."""
    schema: Schema = field(default_factory=dict[str, Json])
    title: str = ""
    user_description: str = ""
    reference_name: str = ""
    """What a person writes after `#`; the name if empty."""
    tags: tuple[str, ...] = ()
    output_schema: Schema | None = None
    annotations: Annotations = Annotations()
    enabled: bool = True
    private: bool = False
    """True: never listed to clients."""
    icons: tuple[str, ...] = ()
    """Addresses as the source gave them; nothing but a `data:` one may ever be shown."""
    when: str = ""
    """The condition (`core.when`) under which it is offered; empty = always."""
    unavailable: str = ""
    """Why it is not offered although it is enabled; empty = nothing is in its way."""
    referable: bool = True
    """Whether a person can name it with `#`."""
    runs: str = ""
    """What a call really runs, where the source knows: an address, a command line. Part of what a person approves."""
    timeout_seconds: float | None = None
    """Its own time limit; None = that of all tools."""
    wording: Wording = Wording()
    """How it speaks of its calls to the person who decides them; no part of what is approved."""
    wall: str = ""
    """What confines the programs that its calls start, in words; empty = it starts none. Not part of what is approved:
    `[tools] sandbox = "required"` insists on one."""
    undoable: bool = False
    """Whether Callgate itself keeps what a call changes, so that it can be undone; only its built-in tools say so."""
    own_name: str = ""
    """What its source calls it, where the catalog had to find it another name."""

    @property
    def id(self) -> str:
        """The same whatever other sources there are; the name is what wires carry."""
        return f"{self.source}/{self.own_name or self.name}"

    @property
    def reference(self) -> str:
        return self.reference_name or self.name

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, self.description, plain_arguments(self.schema))

    @property
    def definition(self) -> dict[str, Json]:
        """What a person approves when this tool is approved: all that the fingerprint is taken of."""
        hints = self.annotations
        said: dict[str, Json] = {
            "name": self.name,
            "source": self.source,
            "description": self.description,
            "schema": dict(self.schema),
            "annotations": {
                "read_only": hints.read_only,
                "destructive": hints.destructive,
                "idempotent": hints.idempotent,
                "open_world": hints.open_world,
            },
        }
        if self.output_schema is not None:
            said["output_schema"] = dict(self.output_schema)
        if self.runs:
            said["runs"] = self.runs
        return said

    @property
    def fingerprint(self) -> str:
        """Changes when what was approved changes: name, description, schema, hints, source; not with key order."""
        hints = self.annotations
        definition: dict[str, object] = {
            "name": self.name,
            "source": self.source,
            "description": self.description,
            "schema": self.schema,
            "output_schema": self.output_schema,
            "annotations": [hints.read_only, hints.destructive, hints.idempotent, hints.open_world],
        }
        if self.runs:
            definition["runs"] = self.runs
        return _digest(definition)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of a tool produced."""

    parts: tuple[ResultPart, ...] = ()
    is_error: bool = False
    structured: Json = None


_CONFINED = "Sandbox: "
_OFFLINE = " · no network"


def wall_words(name: str, network: str) -> str:
    """The fact about a wall that stands; `network`: what it leaves of that."""
    return f"{_CONFINED}{name} · writes only to the workspace · {network}"


def is_confined(wall: str) -> bool:
    """Whether a fact about walls says that there is one."""
    return wall.startswith(_CONFINED)


def is_offline(wall: str) -> bool:
    """Whether it says that nothing outside of the sandbox can be reached."""
    return is_confined(wall) and wall.endswith(_OFFLINE)


def _digest(definition: Mapping[str, object]) -> str:
    try:
        text = orjson.dumps(definition, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # huge integers, deep nesting and half surrogate pairs, which other programs take for valid
        text = json.dumps(definition, sort_keys=True).encode("ascii")
    return hashlib.sha256(text).hexdigest()[:32]
