"""Files that decide what runs or what is asked, taken apart into items that can be compared one by one.

An item is a key and a JSON value: `setting:gate.client_tools`, `source:git`, `endpoint:openai`, `rule:…`. Defaults are
left out, so that a file that spells one out says the same as a file that does not. Pure.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, cast

from pydantic import BaseModel, ValidationError

from callgate.core.config.endpoint_text import spell_endpoint
from callgate.core.config.settings import RuleSettings, Settings, SourceSettings, UpstreamSettings
from callgate.core.config.source_text import spell_source
from callgate.core.messages import Json

Items = dict[str, Json]
Kind = Literal["configuration", "rules", "sources", "endpoints", "tools", "switches", "agents", "origins"]
"""What a file holds."""

_LISTS = ("upstreams", "sources", "rules")
_PLACED_KEYS = (
    "verdict",
    "tool",
    "source",
    "agent",
    "when",
    "workspace",
    "fingerprint",
    "review",
    "at_deadline",
    "sub_agents",
)
_COUNTED_KEYS = ("note", "expires", "matches", "spares")
"""Of a rule with a number of uses: uses are counted by its content, so a change to any of it would begin anew."""


def canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def identical(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Whether two say the same; within an item the order of patterns counts, and `==` does not see it."""
    return one.keys() == other.keys() and all(json.dumps(one[key]) == json.dumps(other[key]) for key in one)


# ---- the configuration ---------------------------------------------------------------------------------------------


def settings_items(settings: Settings) -> Items:
    items: Items = {}
    plain = Settings()
    for section in Settings.model_fields:
        value, default = getattr(settings, section), getattr(plain, section)
        if section in _LISTS or value == default:
            continue
        if section == "chat":
            tools = cast(dict[str, Json], _dumped(settings.chat)["tools"])
            items |= {f"setting:chat.tools.{group}": said for group, said in tools.items()}
        elif isinstance(value, BaseModel):
            items |= {f"setting:{section}.{field}": said for field, said in _dumped(value).items()}
        elif isinstance(value, Mapping):
            items |= {f"setting:{section}.{name}": said for name, said in cast(Mapping[str, Json], value).items()}
        else:
            items[f"setting:{section}"] = cast(Json, value)
    items |= _named("source", [spell_source(one) for one in settings.sources])
    items |= _named("endpoint", [spell_endpoint(one) for one in settings.upstreams])
    return items | rule_items([rule_table(one) for one in settings.rules])


def settings_of(items: Mapping[str, Json]) -> Settings:
    """The settings that items mean. Raises `ValidationError` where they do not go together."""
    return Settings.model_validate(settings_tables(items))


def settings_tables(items: Mapping[str, Json]) -> dict[str, object]:
    """The tables of a configuration file that says just this."""
    data: dict[str, object] = {}
    for key, value in items.items():
        kind, _, path = key.partition(":")
        if kind == "setting":
            *steps, last = path.split(".", 2 if path.startswith("chat.") else 1)
            table: dict[str, object] = data
            for step in steps:
                table = cast(dict[str, object], table.setdefault(step, {}))
            table[last] = value
    lists = {"sources": in_order("source", items), "upstreams": in_order("endpoint", items), "rules": rules_of(items)}
    return data | {name: things for name, things in lists.items() if things}


def default_of(path: str) -> Json:
    """What a setting is where nothing is said; None where there is no such setting."""
    section, _, field = path.partition(".")
    value = getattr(Settings(), section, None)
    if path.startswith("chat.") or value is None:
        return {}
    if isinstance(value, BaseModel):
        return cast(dict[str, Json], value.model_dump(mode="json", by_alias=True)).get(field)
    return None


def _dumped(model: BaseModel) -> dict[str, Json]:
    return cast(dict[str, Json], model.model_dump(mode="json", by_alias=True, exclude_defaults=True))


# ---- rules ---------------------------------------------------------------------------------------------------------


def rule_table(settings: RuleSettings) -> dict[str, Json]:
    said = cast(dict[str, Json], settings.model_dump(mode="json", exclude_defaults=True))
    return {"verdict": settings.verdict, **said}


def rule_items(tables: Iterable[Mapping[str, Json]]) -> Items:
    """Equal rules are numbered: each may have uses of its own."""
    items: Items = {}
    for table in tables:
        keys = (*_PLACED_KEYS, *(_COUNTED_KEYS if "uses" in table else ()))
        key = "rule:" + canonical({name: table[name] for name in keys if name in table})
        numbered, number = key, 1
        while numbered in items:
            number += 1
            numbered = f"{key} #{number}"
        items[numbered] = dict(table)
    return items


def rules_of(items: Mapping[str, Json]) -> list[Json]:
    return [value for key, value in items.items() if key.startswith("rule:")]


# ---- JSON files ----------------------------------------------------------------------------------------------------


def json_items(kind: Kind, content: Json) -> Items:
    match kind:
        case "sources" if isinstance(content, dict):
            switches = content.get("switches")
            items = _named("source", map(_spelled_source, _list(content.get("sources"))))
            for name, on in switches.items() if isinstance(switches, dict) else ():
                if isinstance(on, bool):
                    items[f"enabled:{name}"] = on
            return items
        case "endpoints" if isinstance(content, dict):
            return _named("endpoint", map(_spelled_endpoint, _list(content.get("endpoints"))))
        case "tools":
            return _named("tool", _list(content), ordered=False)
        case "switches":
            return _switches(_list(content))
        case "agents" if isinstance(content, dict):
            items = _named("agent", _list(content.get("tokens")), by="id", ordered=False)
            return {} if _unreadable(items) else items  # half a list proves nothing
        case "origins" if isinstance(content, dict):
            return {
                f"{kind}:{origin}": True
                for kind in ("allowed", "denied")
                for origin in _list(content.get(kind))
                if isinstance(origin, str)
            }
        case _:
            return {}


def json_content(kind: Kind, items: Mapping[str, Json]) -> Json:
    match kind:
        case "sources":
            switches = {key.removeprefix("enabled:"): on for key, on in items.items() if key.startswith("enabled:")}
            return {"sources": [*in_order("source", items), *_unreadable(items)], "switches": switches}
        case "endpoints":
            return {"endpoints": [*in_order("endpoint", items), *_unreadable(items)]}
        case "tools":
            return [*in_order("tool", items), *_unreadable(items)]
        case "switches":
            return [
                {**dict(zip(("source", "tool", "agent"), json.loads(key.removeprefix("switch:")), strict=True)),
                 "enabled": on}
                for key, on in items.items()
            ]  # fmt: skip
        case "agents":
            return {"version": 1, "tokens": in_order("agent", items)}
        case "origins":
            kinds: dict[str, Json] = {"allowed": [], "denied": []}
            for key in items:
                name, _, origin = key.partition(":")
                _list(kinds[name]).append(origin)
            return kinds
        case _:
            raise ValueError(f"{kind} is no JSON file")


def in_order(kind: str, items: Mapping[str, Json]) -> list[Json]:
    """Things of one kind as the item `order:` says; those that it does not name come last."""
    prefix = f"{kind}:"
    things = {key.removeprefix(prefix): value for key, value in items.items() if key.startswith(prefix)}
    order = [str(name) for name in _list(items.get(f"order:{kind}")) if name in things]
    return [things[name] for name in dict.fromkeys((*order, *things))]


def _named(kind: str, things: Iterable[Json], *, by: str = "name", ordered: bool = True) -> Items:
    """By name; what has none, or one that is taken, is kept as it is and never used."""
    items: Items = {}
    for thing in things:
        name = thing.get(by) if isinstance(thing, dict) else None
        key = f"{kind}:{name}"
        fits = isinstance(name, str) and key not in items
        items[key if fits else f"unreadable:{canonical(thing)}"] = thing
    order: list[Json] = [key.removeprefix(f"{kind}:") for key in items if key.startswith(f"{kind}:")]
    if ordered and len(order) > 1:
        items[f"order:{kind}"] = order
    return items


def _unreadable(items: Mapping[str, Json]) -> list[Json]:
    return [value for key, value in items.items() if key.startswith("unreadable:")]


def _spelled_source(entry: Json) -> Json:
    try:
        return spell_source(SourceSettings.model_validate(entry))
    except ValidationError:
        return entry


def _spelled_endpoint(entry: Json) -> Json:
    try:
        return spell_endpoint(UpstreamSettings.model_validate(entry))
    except ValidationError:
        return entry


def _switches(entries: Sequence[Json]) -> Items:
    items: Items = {}
    for entry in entries:
        if isinstance(entry, dict) and isinstance(enabled := entry.get("enabled"), bool):
            named: list[Json] = [entry.get(key, "") for key in ("source", "tool", "agent")]
            if all(isinstance(name, str) for name in named):
                items[f"switch:{json.dumps(named)}"] = enabled
    return items


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
