"""The settings that VS Code users know, as rules underneath. Pure.

Every rule has the layer `setting` and the setting's id as its note, which is the reason that is shown. `true` allows;
`false` asks, and like every rule that asks it beats whatever allows. Within one map the order of its entries counts
as it does in VS Code: among files the last pattern that fits wins, among addresses the first.

Files outside the workspace, and those in which editors and git keep what runs by itself, are never allowed by
`chat.tools.edits.autoApprove`; nor is an address that can be spelled in two ways by `chat.tools.urls.autoApprove`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from callgate.core.config.settings import GateSettings, Settings
from callgate.core.rules.chat_settings import ChatTools, UrlApproval
from callgate.core.rules.match import quoted
from callgate.core.rules.rule import Rule, VerdictKind
from callgate.core.rules.vscode_patterns import OUTSIDE, PROTECTED, command_condition, edit_condition, url_condition

GLOBAL = "chat.tools.global.autoApprove"
EDITS = "chat.tools.edits.autoApprove"
ELIGIBLE = "chat.tools.eligibleForAutoApproval"
URLS = "chat.tools.urls.autoApprove"
TERMINAL = "chat.tools.terminal.autoApprove"
BLOCKED = "gate.block_tools"
LISTED = "gate.allow_tools"


def rules_from(settings: Settings, since: float) -> tuple[Rule, ...]:
    """All rules that the settings mean; `since` is when `chat.tools.global.autoApprove` was switched on."""
    return (*_lists(settings.gate), *chat_rules(settings.chat.tools, since))


def chat_rules(tools: ChatTools, since: float) -> tuple[Rule, ...]:
    return (
        *_eligible(tools.eligible),
        *_everything(tools, since),
        *_edits(tools.edits.auto_approve),
        *_urls(tools.urls.auto_approve),
        *_terminal(tools),
    )


def _rule(verdict: VerdictKind, setting: str, entry: str, when: str = "", *, tool: str = "*") -> Rule:
    return Rule(verdict, tool, when=when, note=setting, origin="setting", id=f"{setting} {entry}".strip())


def _lists(gate: GateSettings) -> Iterator[Rule]:
    for glob in gate.block_tools:
        yield _rule("deny", BLOCKED, glob, tool=glob)
    if gate.allow_tools:
        listed = " or ".join(f"tool:{quoted(glob)}" for glob in gate.allow_tools)
        yield _rule("deny", LISTED, "", f"not ({listed})")


def _eligible(tools: Mapping[str, bool]) -> Iterator[Rule]:
    for tool, eligible in tools.items():
        if not eligible:
            yield Rule("ask", tool, note=ELIGIBLE, origin="setting", id=f"{ELIGIBLE} {tool}", grantable=False)


def _everything(tools: ChatTools, since: float) -> Iterator[Rule]:
    chosen = tools.everything
    if chosen.auto_approve and chosen.acknowledged:
        expires = since + chosen.minutes * 60
        yield Rule("allow", note=GLOBAL, expires=expires, origin="setting", id=GLOBAL)


def _edits(globs: Mapping[str, bool]) -> Iterator[Rule]:
    """The last pattern that fits wins, so each holds only where no later one says the opposite."""
    entries = list(globs.items())
    safe = [f"not edits~{quoted(OUTSIDE)}", f"not edits~{quoted(PROTECTED)}"]
    for index, (glob, approves) in enumerate(entries):
        opposed = [
            f"not {edit_condition(other, approves=value)}" for other, value in entries[index + 1 :] if value != approves
        ]
        own = [edit_condition(glob, approves=approves), *opposed]
        yield _rule("allow" if approves else "ask", EDITS, glob, " and ".join([*own, *safe] if approves else own))


def _urls(patterns: Mapping[str, UrlApproval]) -> Iterator[Rule]:
    """The first pattern that has a word on the matter wins; a result that none approves is reviewed."""
    entries = list(patterns.items())
    together = all((approval.request is None) == (approval.response is None) for _, approval in entries)
    unreviewed = "" if together else _approved_response(entries)
    for index, (pattern, approval) in enumerate(entries):
        if approval.request is None and approval.response is not False:
            continue
        request = bool(approval.request)
        opposed = [
            f"not {url_condition(other, approves=bool(earlier.request))}"
            for other, earlier in entries[:index]
            if earlier.request is not None and earlier.request != request
        ]
        if together:
            opposed += [
                f"not {url_condition(other, approves=bool(earlier.response))}"
                for other, earlier in entries[:index]
                if earlier.request == request and earlier.response != approval.response
            ]
        when = " and ".join([url_condition(pattern, approves=request), *opposed])
        rule = _rule("allow" if request else "ask", URLS, pattern, when)
        if together:
            yield replace(rule, review=not approval.response)
            continue
        if unreviewed:
            yield replace(rule, when=f"{when} and ({unreviewed})")
            when = f"{when} and not ({unreviewed})"
        yield replace(rule, when=when, id=f"{rule.id} (reviewed)", review=True)


def _approved_response(entries: Sequence[tuple[str, UrlApproval]]) -> str:
    """A condition for addresses whose result needs no review; empty = there are none."""
    approved: list[str] = []
    for index, (pattern, approval) in enumerate(entries):
        if approval.response:
            refused = [
                f"not {url_condition(other, approves=False)}"
                for other, earlier in entries[:index]
                if earlier.response is False
            ]
            approved.append(" and ".join([url_condition(pattern, approves=True), *refused]))
    return " or ".join(f"({one})" if " and " in one else one for one in approved)


def _terminal(tools: ChatTools) -> Iterator[Rule]:
    for key, entry in tools.terminal.auto_approve.items():
        if entry.approve is None:
            continue
        when = command_condition(key, approves=entry.approve, whole_line=entry.match_command_line)
        yield _rule("allow" if entry.approve else "ask", TERMINAL, key, when)
