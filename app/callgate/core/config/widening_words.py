"""What a difference would allow, in plain words, and its text as a person would write it, without secrets. Pure."""

import json
from typing import Final, cast

from pydantic import ValidationError

from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_input import hide_secrets
from callgate.core.config.source_text import spell_source
from callgate.core.config.toml_text import toml_pairs
from callgate.core.messages import Json
from callgate.core.secrets.masking import mask

_HIDDEN: Final = "(not shown)"
_SETTING_WORDS: Final = {
    "server.host": "Changes who can connect",
    "server.token": "Changes the token that programs must send",
    "server.rate_limit": "Raises how often agents may ask",
    "server.relay_unjudged": "Relays routes where models call tools that Callgate never sees",
    "gate.client_tools": "Stops asking about calls that agents run themselves",
    "gate.deadline_seconds": "Shortens the time to decide",
    "gate.allow_tools": "Allows more tools to be called",
    "gate.block_tools": "Unblocks tools",
    "gate.tools_enabled": "Offers the tools of Callgate to agents",
    "builtin.web": "Lets a built-in tool fetch pages of the web",
    "tools.sandbox": "Weakens the sandbox of commands",
    "tools.sandbox_network": "Lets sandboxed commands reach the network",
    "tools.environment": "Passes more variables to commands",
    "journal.keep_secrets": "Stores keys as they are",
    "chat.tools.global": "Approves every call without asking",
    "chat.tools.edits": "Approves changes to files without asking",
    "chat.tools.urls": "Approves addresses without asking",
    "chat.tools.terminal": "Approves commands without asking",
    "chat.tools.eligibleForAutoApproval": "No longer insists on asking about tools",
}


def words_of(key: str, old: Json, new: Json, texts: tuple[str, str]) -> str:
    """One sentence without its full stop. `texts`: both sides as text, empty where there is none."""
    kind, _, name = key.partition(":")
    added, removed = not texts[0], not texts[1]
    match kind:
        case "rule":
            return _rule_words(old, new, added=added, removed=removed)
        case "setting":
            return _SETTING_WORDS.get(name, f"Changes the setting {name}")
        case "source":
            return f"{_begins(added)} the source {name}: {_source_words(_without_secrets(new))}"
        case "endpoint":
            address = _field(new, "base_url") or "Vertex AI"
            return f"{_begins(added)} the endpoint {name}, which sends requests and keys to {address}"
        case "tool":
            answer = _field(new, "callback_url")
            return f"{_begins(added)} the registered tool {name}, answered by {answer or 'you'}"
        case "agent":
            return f"{_begins(added)} a token that proves the name of the agent {_field(new, 'name')}"
        case "allowed":
            return f"Lets web pages of {name} use Callgate"
        case "denied":
            return f"No longer refuses web pages of {name}"
        case "enabled":
            return f"Switches the source {name} on"
        case "switch":
            source, tool, agent = cast(list[str], json.loads(name))
            what = f"{tool} of {source}" if tool else f"the source {source}" if source else "all tools"
            return f"Switches {what} on{f' for {agent}' if agent else ''}"
        case "order":
            return f"Changes which {name} comes first"
        case "spent":
            return "Lets a rule with a number of uses be used again"
        case "on":
            return f"Lets {name} last longer"
        case "unreadable":
            return "Has an entry that this version cannot read"
        case _:
            return f"{_begins(added)} {name}"


def item_text(key: str, value: Json) -> str:
    """One side of a difference, with what looks like a key masked."""
    return mask(_text(key, value))


def _text(key: str, value: Json) -> str:
    kind, _, name = key.partition(":")
    if kind == "setting" and name == "server.token":
        return f'token = "{_HIDDEN}"\n' if value else 'token = ""\n'
    if kind == "source":
        value = _without_secrets(value)
    if kind in ("rule", "source", "endpoint") and isinstance(value, dict):
        return "\n".join(toml_pairs({name: said for name, said in value.items() if name != "id"})) + "\n"
    if kind == "setting":
        _, _, field = name.rpartition(".")
        return f"{field} = {json.dumps(value, ensure_ascii=False, indent=2)}\n"
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _begins(added: bool) -> str:
    return "Adds" if added else "Changes"


def _rule_words(old: Json, new: Json, *, added: bool, removed: bool) -> str:
    rule = old if removed else new
    subject = f"{_field(rule, 'tool') or 'every tool'}"
    for field, word in (("source", "of"), ("agent", "for")):
        subject += f" {word} {_field(rule, field)}" if _field(rule, field) else ""
    subject += f" when {_field(rule, 'when')}" if _field(rule, "when") else ""
    verdict = _field(rule, "verdict")
    if removed:
        ends = "denies" if verdict == "deny" else "asks about" if verdict == "ask" else "reviews the results of"
        return f"No longer {ends} {subject}"
    if not added:
        return f"Changes how long or how often a rule counts: {verdict} {subject}"
    return f"Allows {subject} {'when nobody decides in time' if verdict == 'ask' else 'without asking'}"


def _source_words(value: Json) -> str:
    said = value if isinstance(value, dict) else {}
    command, tools = said.get("command"), said.get("tools")
    if isinstance(command, list):
        return f"runs {' '.join(map(str, command))}"
    if isinstance(tools, list):
        names = [str(tool.get("name")) for tool in tools if isinstance(tool, dict)]
        return f"runs commands as {', '.join(names)}"
    return f"connects to {said.get('url')}"


def _without_secrets(value: Json) -> Json:
    try:
        return spell_source(hide_secrets(SourceSettings.model_validate(value)).settings)
    except ValidationError:
        return value


def _field(value: Json, name: str) -> str:
    said = value.get(name) if isinstance(value, dict) else None
    return said if isinstance(said, str) and said != "*" else ""
