"""What the demo model says: before a call, about results and refusals, and about Callgate when no tool fits. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from callgate.core.json.text import dump_text, parse
from callgate.core.messages import Json
from callgate.core.tool import ToolSpec
from callgate.upstream.demo.intents import Ask, examples

INTRODUCTION = "I am Callgate's built-in demo model: I only follow simple rules, but the tool calls are real."
TOPICS = {
    r"approv\w*|deny|denied|gate|confirm\w*|permission|decid\w*": "Every tool call stops at the gate until a rule or a "
    "person decides. You can approve it, edit its arguments first, deny it with a reason, answer in the tool's place, "
    "or skip it. A denied call still gets a result, so the model knows that nothing ran and why.",
    r"rules?|verdict|policy|allow\w*|block\w*|always": "A rule is a verdict (allow, ask or deny) for a tool, a source "
    "or an agent, with an optional match such as `args.path:/tmp/**`. Deny beats ask, ask beats allow; where no rule "
    "matches, Callgate asks. Approving with a scope shows the exact rule that it will save.",
    r"real|provider|upstream|key|config\w*|endpoint": "To talk to a real model, add it on the page Endpoints, or as an "
    "`[[upstreams]]` table of `callgate.toml`. Until then I answer for all of them.",
    r"connect\w*|agents?|clients?|sdk|url|port|proxy|openai|claude|gemini|codex": "Point your agent's base URL at the "
    "address shown in the window, by default `http://127.0.0.1:8080/v1` for OpenAI clients, without `/v1` for others.",
    r"mcp|sources?|servers?|tools?|catalog": "Tools come from the workspace, MCP servers, commands, and programs that "
    "register them over HTTP. A client gets them with `use_vscode_tools: true`, and `/mcp` offers them to MCP clients.",
    r"debug\w*|traffic|inspect\w*|wire|history|export\w*|log": "Everything that happens is kept: the conversation, the "
    "decisions, and the bytes on both sides. The traffic table can be filtered: `tool:run_* and dur>500ms`.",
}
"""Words that a topic is known by, and what there is to say."""
_OVERVIEW = (
    "Callgate stands between agents and models: you see the tools a model is offered, watch each call form, decide it "
    "before it runs, and can look at the whole conversation afterwards."
)
_NO_TOOLS = "No tools came with this request. Offer some and ask in plain words; or ask me about approvals or rules."
_REFUSED = re.compile(
    r"^\W*(?:error:\s*)?(?:tool call '[^']*' was not run|(?:denied|rejected|declined) by\b|(?:the )?(?:user|person) "
    r"(?:has )?(?:denied|declined|rejected|refused|skipped|cancell?ed|chose not|doesn't want|did not allow)"
    r"|(?:the )?(?:tool )?(?:call|use|execution|request) (?:was |has been )?(?:denied|declined|rejected|refused))",
    re.IGNORECASE,
)
"""Only at the very start: a file may well contain such words."""
_WHY = re.compile(r"was not run: (.*?)\.(?:\s|$)(?:.*?Reason given: (.*?)\.?\s*(?:Do not retry\b|$))?", re.DOTALL)
_FAILED = re.compile(r"^\s*(?:error|failed|failure|exception|traceback)\b[\s:]*", re.IGNORECASE)
_MOST_LINES, _MOST_CHARACTERS, _SHORT, _MOST_ITEMS = 10, 700, 160, 8


class Made(NamedTuple):
    """A call of this turn and what came of it."""

    name: str
    arguments: str
    result: str


def is_refusal(result: str) -> bool:
    return _REFUSED.match(result) is not None


def before_calls(names: Sequence[str], first: bool, more: bool) -> str:
    """A sentence ahead of the calls; in later rounds a shorter one."""
    told = _joined([f"`{name}`" + (f" {count} times" if count > 1 else "") for name, count in Counter(names).items()])
    return f"{INTRODUCTION} For this I call {told}." if first else f"{'Next ' if more else ''}I call {told}."


def after_calls(made: Sequence[Made], asks: Sequence[Ask]) -> str:
    """What came of the calls of this turn."""
    refused = any(is_refusal(call.result) for call in made)
    ending = ["I leave it at that; tell me if you want something else."] if refused else []
    return "\n\n".join([*map(_about, made), *ending, *map(_question, asks)])


def without_calls(words: str, tools: Sequence[ToolSpec], asks: Sequence[Ask], first: bool, offered: bool) -> str:
    """An answer to something that needs no tool, or that no tool here can do."""
    found = {text: len(re.findall(rf"\b(?:{keys})\b", words, re.IGNORECASE)) for keys, text in TOPICS.items()}
    topic = max(found, key=lambda text: found[text])
    said = [_question(ask) for ask in asks] or [topic if found[topic] else _OVERVIEW]
    if tools and not asks:
        said.append("Try: " + "; ".join(f"“{example}”" for example in examples(tools)) + ".")
    elif not tools and (offered or not found[topic]):
        said.append("This request forbids me to call tools, so I only talk." if offered else _NO_TOOLS)
    return "\n\n".join([INTRODUCTION, *said] if first else said)


def _about(call: Made) -> str:
    result, value = call.result.strip(), _parsed(call.result.strip())
    texts = [item for item in (_parsed(call.arguments) or {"": ""}).values() if isinstance(item, str)]
    subject = f"`{call.name}`" + next((f" ({text})" for text in texts if 0 < len(text) <= 60 and "`" not in text), "")
    if is_refusal(result):
        why = _WHY.search(result)
        return (
            f"{subject} was not run" + (f": {why[1]}" if why else "") + (f" (“{why[2]}”)." if why and why[2] else ".")
        )
    if failed := _FAILED.match(result):
        return f"{subject} failed: {(result[failed.end() :].strip() or result).splitlines()[0]}"
    if value is not None:
        return "\n".join(
            [f"{subject} says:", *(f"- {key}: {_plain(item)}" for key, item in [*value.items()][:_MOST_ITEMS])]
        )
    if "\n" not in result and len(result) <= _SHORT:
        return f"{subject} says: {result}" if result else f"{subject} ran and returned nothing."
    head = "\n".join(result.splitlines()[:_MOST_LINES])[:_MOST_CHARACTERS].rstrip()
    fence = "````" if "```" in head else "```"
    count = f"{len(result.splitlines()):,} lines" if "\n" in result else f"{len(result):,} characters"
    return f"{subject} gave {count}{'' if len(head) >= len(result) else '; they begin with'}:\n{fence}\n{head}\n{fence}"


def _question(ask: Ask) -> str:
    names = _joined([f"`{name}`" for name in ask.missing])
    return f"I would call `{ask.tool.name}`, but you did not say its {names}. For example: “{examples([ask.tool])[0]}”"


def _parsed(text: str) -> dict[str, Json] | None:
    try:
        value = parse(text) if text.startswith("{") else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _plain(value: Json) -> str:
    text = " ".join((value if isinstance(value, str) else dump_text({"": value})[4:-1]).split())
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def _joined(pieces: Sequence[str]) -> str:
    return f"{', '.join(pieces[:-1])} and {pieces[-1]}" if len(pieces) > 1 else "".join(pieces)
