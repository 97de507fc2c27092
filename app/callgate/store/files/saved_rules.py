"""Rules as files spell them, and what holds in the place of one that cannot be read. Does no I/O.

Reading fails closed: a rule that is wrong in any way, an unknown key included (it may be a misspelt `when`), becomes
one that asks, or goes on denying if it is clear that it denied.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from pydantic import Field, ValidationError

from callgate.core.config.settings import RuleSettings
from callgate.core.rules.policy import Rule, VerdictKind
from callgate.store.files.expectations import complaint
from callgate.store.files.expiry import read_expiry, write_expiry
from callgate.store.files.toml_lines import KeyPath, line_of


class SavedRule(RuleSettings):
    """One `[[rules]]` table of `rules.toml`."""

    id: str = ""
    workspace: str = ""
    """Where it holds; empty = everywhere."""
    fingerprint: str = ""
    uses: Annotated[int, Field(ge=0)] | None = None
    """0 = used up, which a saved rule may be."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A table of the file: the rule that it is, or the stand-in for one that cannot be read."""

    rule: Rule
    workspace: str = ""
    problem: str = ""
    """Why it cannot be read, with its line; empty = it can."""


def rule_of(settings: RuleSettings, rule_id: str, origin: str, fingerprint: str = "") -> Rule:
    """Raises ValueError where its expiry is no time."""
    return Rule(
        settings.verdict,
        settings.tool,
        settings.source,
        settings.agent,
        settings.when,
        settings.note,
        read_expiry(settings.expires),
        settings.uses,
        origin,
        rule_id,
        fingerprint,
        settings.review,
        at_deadline=settings.at_deadline,
        sub_agents=settings.sub_agents,
    )


def stand_in(verdict: object, tool: object, rule_id: str, origin: str, why: str) -> Rule:
    """What holds in the place of a rule that cannot be read, given what is known of it."""
    kind: VerdictKind = "deny" if verdict == "deny" else "ask"
    named = tool if isinstance(tool, str) and tool else "*"
    return Rule(kind, named, note=f"A rule for this cannot be read: {why}", origin=origin, id=rule_id)


def read_entries(tables: list[object], lines: dict[KeyPath, int]) -> tuple[Entry, ...]:
    """The entries of `[[rules]]`, each with an id of its own; `lines` are those of the whole text."""
    ids = distinct([_id_of(table) for table in tables])
    return tuple(_entry(table, ids[index], index, lines) for index, table in enumerate(tables))


def spelled(rule: Rule, workspace: str) -> Iterator[tuple[str, str | int | bool]]:
    """The keys of a rule's table, in order, without those that say nothing."""
    yield "id", rule.id
    yield "verdict", rule.verdict
    yield "tool", rule.tool
    for key, value in (("source", rule.source), ("agent", rule.agent)):
        if value != "*":
            yield key, value
    for key, value in (
        ("workspace", workspace),
        ("when", rule.when),
        ("note", rule.note),
        ("fingerprint", rule.fingerprint),
    ):
        if value:
            yield key, value
    if rule.expires is not None:
        yield "expires", write_expiry(rule.expires)
    if rule.uses is not None:
        yield "uses", rule.uses
    if rule.review:
        yield "review", rule.review
    if rule.at_deadline != "deny":
        yield "at_deadline", rule.at_deadline
    if rule.spares_sub_agents:
        yield "sub_agents", rule.sub_agents


def content_id(prefix: str, table: Mapping[str, object]) -> str:
    """A lasting id for a rule that was given none: its content, without what counts down."""
    content = repr(sorted((key, str(value)) for key, value in table.items() if key != "uses"))
    return f"{prefix}_{hashlib.sha256(content.encode('utf-8', 'replace')).hexdigest()[:24]}"


def distinct(ids: list[str]) -> list[str]:
    """The same ids, each its own: twins get a number."""
    seen: dict[str, int] = {}
    out: list[str] = []
    for name in ids:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return out


def _id_of(table: object) -> str:
    if not isinstance(table, dict):
        return content_id("rule", {"": table})
    given = table.get("id")
    return given if isinstance(given, str) and given else content_id("rule", table)


def _entry(table: object, rule_id: str, index: int, lines: dict[KeyPath, int]) -> Entry:
    if not isinstance(table, dict):
        why = f"line {line_of(lines, ('rules', index))[0]}: expected a table"
        return Entry(stand_in(None, "*", rule_id, "always", why), problem=why)
    place = table.get("workspace", "")
    workspace = place if isinstance(place, str) else ""
    origin = "workspace" if workspace else "always"
    expires = table.get("expires")
    if isinstance(expires, date | datetime):
        table = {**table, "expires": expires.isoformat()}
    try:
        saved = SavedRule.model_validate(table)
        return Entry(rule_of(saved, rule_id, origin, saved.fingerprint), workspace)
    except ValidationError as error:
        detail = error.errors()[0]
        key, said = detail["loc"], complaint(detail, SavedRule)
    except ValueError as error:
        key, said = ("expires",), str(error)
    line, _ = line_of(lines, ("rules", index, *key))
    why = f"line {line}: {key[0] if key else 'rule'}: {said}"
    rule = stand_in(table.get("verdict"), table.get("tool"), rule_id, origin, why)
    return Entry(rule, workspace, why)
