"""The rule desk of a running engine."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import orjson

from callgate.core.calls.invocation import GrantScope, Invocation
from callgate.core.catalog.definition_diff import diff
from callgate.core.config.settings import RuleSettings
from callgate.core.errors import UserFault
from callgate.core.messages import Json
from callgate.core.rules.glob import glob_matches
from callgate.core.rules.policy import Rule
from callgate.core.tool import CLIENT_SOURCE, RUN_BY_CALLGATE, ToolSpec
from callgate.engine.console.rule_service import CallBackground, DefinitionChange, ImportPlan, SuspendedGrant
from callgate.engine.exchange.direct_call import Caller, DirectCalls
from callgate.engine.offer.client_tools import ClientTools
from callgate.store.files.rule_text import rules_toml
from callgate.store.files.saved_rules import rule_of
from callgate.store.journal import Journal
from callgate.store.rule_import import import_rules
from callgate.store.rulebook import Rulebook
from callgate.store.tables.definitions import Definitions
from callgate.tools.catalog import Catalog, UnknownTool

LOOKED_BACK = 500
"""Past calls among which the last one of a tool is looked for; an older one is no help in judging the next."""
RETRIES = Caller("callgate", "retries of the person", proven=True)
"""The agent of the person's own calls, as in conversations with a model."""

_Known = dict[tuple[str, str], Mapping[str, Mapping[str, Json]]]
"""Definitions in use, by tool and source, then by fingerprint: agents may bring different tools of one name."""


class LiveRuleService:
    def __init__(
        self,
        rulebook: Rulebook,
        catalog: Catalog,
        client_tools: ClientTools,
        journal: Journal,
        definitions: Definitions,
        direct: DirectCalls,
        workspace: str = "",
    ) -> None:
        self._rulebook = rulebook
        self._catalog = catalog
        self._client_tools = client_tools
        self._journal = journal
        self._definitions = definitions
        self._direct = direct
        self._workspace = workspace

    # ---- definitions -----------------------------------------------------------------------------------------------

    async def suspended(self) -> Sequence[SuspendedGrant]:
        known = self._known()
        found: list[SuspendedGrant] = []
        for rule in self._rulebook.rules():
            about = _about(rule, known) if rule.fingerprint else {}
            if about and not any(rule.fingerprint in versions for versions in about.values()):
                (tool, source), versions = next(iter(about.items()))
                fingerprint, definition = list(versions.items())[-1]
                change = await self._change(tool, source, rule.fingerprint, fingerprint, definition)
                found.append(SuspendedGrant(rule, change))
        return found

    async def background(self, invocation: Invocation) -> CallBackground:
        past = await self._journal.invocations(LOOKED_BACK)
        same = [call for call in past if _same_tool(call, invocation) and call.id != invocation.id]
        suspended = tuple(rule for rule in self._rulebook.rules() if _would_count(rule, invocation))
        approved = (call.fingerprint for call in same if call.decided_by == "person" and not call.refused)
        old = next((rule.fingerprint for rule in suspended), "") or next(approved, "")
        change = None
        definition = self._definition_of(invocation)
        if old and invocation.fingerprint and old != invocation.fingerprint and definition is not None:
            tool, source = invocation.tool, invocation.source
            change = await self._change(tool, source, old, invocation.fingerprint, definition)
        return CallBackground(same[0] if same else None, change, suspended)

    def reaccept(self, rule_id: str, fingerprint: str) -> Rule | None:
        return self._rulebook.reaccept(rule_id, fingerprint)

    async def _change(
        self, tool: str, source: str, old: str, fingerprint: str, after: Mapping[str, Json]
    ) -> DefinitionChange:
        kept = await self._definitions.find(old)
        if kept is None:
            return DefinitionChange(tool, source, fingerprint, after)
        before = kept.definition
        return DefinitionChange(tool, source, fingerprint, after, before, diff(before, after))

    def _known(self) -> _Known:
        known: dict[tuple[str, str], dict[str, Mapping[str, Json]]] = {}
        for tool in self._catalog.tools():
            known.setdefault((tool.name, tool.source), {})[tool.fingerprint] = tool.definition
        for brought in self._client_tools.tools():
            if isinstance(brought.tool, ToolSpec):
                versions = known.setdefault((brought.name, CLIENT_SOURCE), {})
                versions[brought.tool.fingerprint] = brought.tool.definition
        return {**known}

    def _definition_of(self, invocation: Invocation) -> Mapping[str, Json] | None:
        versions = self._known().get((invocation.tool, invocation.source), {})
        return versions.get(invocation.fingerprint)

    # ---- in and out ------------------------------------------------------------------------------------------------

    def read_import(self, text: str) -> ImportPlan:
        if _looks_like_toml(text):
            return _own_rules(text)
        report = import_rules(text, self._workspace)
        return ImportPlan(report.program, report.rules, report.skipped, report.widened)

    def take_import(self, plan: ImportPlan, scope: GrantScope) -> tuple[Rule, ...]:
        held = {_content(rule) for rule in self._rulebook.rules()}
        fresh = [rule for rule in plan.rules if _content(rule) not in held]
        return tuple(self._rulebook.add(rule, scope) for rule in fresh)

    def export(self) -> str:
        # settings are spelled as settings, in the configuration that they came from
        # one that holds in a conversation only would hold everywhere if it were written down
        lasting = (rule for rule in self._rulebook.rules() if rule.within is None)
        return rules_toml(rule for rule in lasting if rule.origin != "setting")

    # ---- refused calls ---------------------------------------------------------------------------------------------

    def why_no_retry(self, invocation: Invocation) -> str:
        if invocation.owner == "client" or invocation.source == CLIENT_SOURCE:
            agent = invocation.agent or "its agent"
            return f"Only {agent} can run it: the tool is its own."
        if invocation.source in RUN_BY_CALLGATE:
            return "It belongs to the conversation that it came from."
        known = self._catalog.get(invocation.tool)
        if known is None or known.source != invocation.source:
            return "The tool is not there any more."
        if self._catalog.offers(invocation.tool, RETRIES.agent) is None:
            return "The tool is switched off."
        return "" if _object(invocation.arguments) is not None else "Its arguments can't be read."

    async def retry(self, invocation: Invocation) -> None:
        problem = self.why_no_retry(invocation)
        arguments = _object(invocation.arguments)
        if problem or arguments is None:
            raise UserFault(problem)
        try:
            await self._direct.call(invocation.tool, arguments, RETRIES, _unheard)
        except UnknownTool as gone:
            raise UserFault("The tool is not there any more.") from gone


def _unheard(text: str, done: float | None, total: float | None) -> None:
    """The window shows progress by itself."""


def _same_tool(past: Invocation, call: Invocation) -> bool:
    return (past.tool, past.source, past.agent) == (call.tool, call.source, call.agent)


def _about(rule: Rule, known: _Known) -> _Known:
    return {
        (tool, source): versions
        for (tool, source), versions in known.items()
        if glob_matches(rule.tool, tool) and glob_matches(rule.source, source)
    }


def _would_count(rule: Rule, call: Invocation) -> bool:
    return (
        bool(rule.fingerprint)
        and rule.fingerprint != call.fingerprint
        and glob_matches(rule.tool, call.tool)
        and glob_matches(rule.source, call.source)
        and glob_matches(rule.agent, call.agent)
        and (rule.agent == "*" or call.agent_proven)
        and not (rule.spares_sub_agents and call.sub_agent)
        and (rule.within is None or rule.within.covers(call.within))
    )


def _content(rule: Rule) -> Rule:
    """A rule without what tells two of the same kind apart."""
    return replace(rule, id="", origin="", note="", fingerprint="")


def _object(arguments: str) -> dict[str, Json] | None:
    try:
        value: Json = orjson.loads(arguments or "{}")
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _looks_like_toml(text: str) -> bool:
    return not text.lstrip("\ufeff \t\r\n").startswith(("{", "//", "/*"))


def _own_rules(text: str) -> ImportPlan:
    """Rules as Callgate itself exports them; a table that can't be read is listed, not taken."""
    try:
        document = tomllib.loads(text.lstrip("\ufeff"))
    except tomllib.TOMLDecodeError as bad:
        raise UserFault(f"neither JSON nor TOML: {bad}") from bad
    tables = document.get("rules")
    if not isinstance(tables, list):
        raise UserFault("it has no rules: a [[rules]] table is expected for each")
    rules: list[Rule] = []
    skipped: list[tuple[str, str]] = []
    for table in cast("list[object]", tables):
        try:
            rules.append(_own_rule(table))
        except ValueError as bad:  # pydantic's complaint is one too
            skipped.append((str(table), str(bad).splitlines()[0]))
    return ImportPlan("Callgate", tuple(rules), tuple(skipped))


_PLACED = frozenset({"id", "workspace", "fingerprint"})
"""Keys of a saved rule that mean something only where it was saved."""


def _own_rule(table: object) -> Rule:
    if not isinstance(table, dict):
        raise ValueError("expected a table")
    given = {key: value for key, value in cast("dict[str, object]", table).items() if key not in _PLACED}
    return rule_of(RuleSettings.model_validate(given), "", "always")
