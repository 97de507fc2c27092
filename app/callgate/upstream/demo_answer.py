"""What the demo model says: before a call, about results and refusals, and about Callgate when no tool fits.

Pure text from pure values. It says that it is a demo once, in its first answer.
"""

import re
from collections import Counter
from collections.abc import Sequence

from callgate.core.messages import Json
from callgate.core.tool import ToolSpec
from callgate.upstream.demo_choice import Ask
from callgate.upstream.demo_task import Made, Task
from callgate.upstream.demo_words import meaning
from callgate.wire.json_text import parse

INTRODUCTION = "I am Callgate's built-in demo model: I only follow simple rules, but the tool calls are real."

_QUOTED_LINES = 10
_QUOTED_CHARACTERS = 700
_SHORT = 160
_TIMES = {2: " twice"} | {count: f" {count} times" for count in range(3, 20)}
_MOST_FIELDS = 8
_REFUSED = re.compile(
    r"^\W*(?:error:\s*)?(?:"
    r"tool call '[^']*' was not run"
    r"|(?:the )?(?:user|person|operator) (?:has )?(?:denied|declined|rejected|refused|skipped|cancell?ed|chose not|"
    r"doesn't want|does not want|did not (?:allow|approve))"
    r"|(?:the )?(?:tool )?(?:call|use|execution|request|permission) (?:was |has been )?"
    r"(?:denied|declined|rejected|refused)"
    r"|(?:denied|rejected|declined) by\b"
    r")",
    re.IGNORECASE,
)
"""Only at the very start: a file may well contain such words."""
_WHY = re.compile(r"was not run: (?P<why>.*?)\.(?:\s|$)", re.DOTALL)
_REASON = re.compile(r"Reason given: (?P<reason>.*?)(?:\s+Do not retry\b|$)", re.DOTALL)
_FAILED = re.compile(r"^\s*(?:error|failed|failure|exception|traceback)\b[\s:]*", re.IGNORECASE)

_TOPICS: tuple[tuple[str, str], ...] = (
    (
        "approve approval deny gate confirm permission decide ask review",
        "Every tool call stops at the gate until a rule or a person decides. On the card you can approve it, "
        "approve it with edited arguments, deny it with a reason, answer in the tool's place, or skip it. A "
        "denied call still gets a result, so the model knows that nothing ran and why.",
    ),
    (
        "rule verdict policy allow block automatic always",
        "A rule is a verdict (allow, ask or deny) for a tool, a source or an agent, with an optional match such "
        "as `args.path:/tmp/**`. Deny beats ask, ask beats allow, and where no rule matches Callgate asks. "
        "Approving with a scope (session, workspace, always) shows the exact rule that it will save.",
    ),
    (
        "connect agent client sdk base url port proxy point openai anthropic claude gemini codex address",
        "Point your agent's base URL at the address shown in the window, by default `http://127.0.0.1:8080/v1` "
        "for OpenAI clients and `http://127.0.0.1:8080` for Anthropic and Gemini clients. Chat Completions, "
        "Responses, Messages and Gemini are all spoken, whatever the provider behind speaks.",
    ),
    (
        "provider upstream key model real configure configuration setting toml endpoint ollama",
        "To talk to a real model add an `[[upstreams]]` table to `callgate.toml`: a name, a wire, a base URL, the "
        "environment variable that holds the key (`key_env`) and the models it serves. Until then I answer for "
        "all of them.",
    ),
    (
        "mcp source server tool register catalog builtin custom",
        "Tools come from several sources: built-in ones for the workspace, MCP servers, commands, and tools that "
        "programs register over HTTP. Filter and switch them in the tool tree; a client gets them with "
        "`use_vscode_tools: true`, and `/mcp` offers them to MCP clients, each call through the gate.",
    ),
    (
        "debug traffic inspect wire history conversation export trace log",
        "Everything that happens is kept: the conversation with each call as it formed, the decisions, and the "
        "bytes on both sides of the wire. The traffic table can be filtered, for instance with `tool:run_* and "
        "dur>500ms`.",
    ),
    (
        "headless serve terminal cli window screenshot",
        "`callgate` opens the window, `callgate serve` runs the same engine without one (`--on-ask "
        "deny|allow|prompt`), and `callgate demo` shows a conversation with approvals within seconds.",
    ),
)
"""Words that a topic is told by, and what there is to say."""
_OVERVIEW = (
    "Callgate stands between agents and models: you see the tools a model is offered, watch each call form, decide it "
    "before it runs, and can look at the whole conversation afterwards."
)
_EXAMPLES = {
    "read_file": "What does README.md say?",
    "list_directory": "List the files here",
    "find_files": "Find all python files",
    "search_text": "Search for TODO in src",
    "run_command": "Run `ls -la`",
    "run_in_terminal": "Run `ls -la`",
    "get_weather": "What's the weather in Paris and in Rome?",
    "get_current_time": "What time is it in Tokyo?",
}


def is_refusal(result: str) -> bool:
    return _REFUSED.match(result) is not None


def before_calls(task: Task, names: Sequence[str]) -> str:
    """A sentence ahead of the calls; in later rounds a shorter one."""
    told = _joined([f"`{name}`{_TIMES.get(count, '')}" for name, count in Counter(names).items()])
    if task.first:
        return f"{INTRODUCTION} For this I call {told}."
    return f"Next I call {told}." if task.made else f"I call {told}."


def after_calls(task: Task, open_asks: Sequence[Ask]) -> str:
    """What came of the calls of this turn."""
    paragraphs = [_about(call) for call in task.made if call.result is not None]
    if any(is_refusal(call.result or "") for call in task.made):
        paragraphs.append("I leave it at that; tell me if you want something else.")
    paragraphs.extend(_question(ask) for ask in open_asks)
    return "\n\n".join(paragraphs)


def without_calls(task: Task, tools: Sequence[ToolSpec], open_asks: Sequence[Ask]) -> str:
    """An answer to something that needs no tool, or that no tool here can do."""
    paragraphs = [INTRODUCTION] if task.first else []
    if open_asks:
        paragraphs.extend(_question(ask) for ask in open_asks)
        return "\n\n".join(paragraphs)
    topic = _topic(task.words)
    paragraphs.append(topic or _OVERVIEW)
    if task.choice.mode == "none" and task.tools:
        paragraphs.append("This request forbids me to call tools, so I only talk.")
    elif tools:
        paragraphs.append("Try: " + "; ".join(f"“{example}”" for example in _examples(tools)) + ".")
    elif not topic:
        paragraphs.append(
            "No tools came with this request. Offer some and ask for them in plain words; or ask me about approvals, "
            "rules, connecting an agent, real models, tool sources or debugging."
        )
    return "\n\n".join(paragraphs)


def _about(call: Made) -> str:
    result = (call.result or "").strip()
    subject = f"`{call.name}`{_of(call.arguments)}"
    if is_refusal(result):
        return _refusal(subject, result)
    failed = _FAILED.match(result)
    if failed:
        line = result[failed.end() :].strip().splitlines()
        return f"{subject} failed: {line[0] if line else result}"
    if not result:
        return f"{subject} ran and returned nothing."
    value = _structured(result)
    if isinstance(value, dict):
        return f"{subject} says:\n" + "\n".join(_fields(value))
    if isinstance(value, list):
        shown = _joined([_plain(item) for item in value[:_MOST_FIELDS]])
        more = f" and {len(value) - _MOST_FIELDS} more" if len(value) > _MOST_FIELDS else ""
        return f"{subject} gave {len(value)} items: {shown}{more}." if value else f"{subject} gave an empty list."
    if "\n" not in result and len(result) <= _SHORT:
        return f"{subject} says: {result}"
    return _quoted(subject, result)


def _quoted(subject: str, result: str) -> str:
    lines = result.splitlines()
    head = "\n".join(lines[:_QUOTED_LINES])[:_QUOTED_CHARACTERS].rstrip()
    fence = "````" if "```" in head else "```"
    whole = len(head) >= len(result)
    count = f"{len(lines):,} lines" if len(lines) > 1 else f"{len(result):,} characters"
    told = f"{subject} gave {count}:" if whole else f"{subject} gave {count}; they begin with:"
    return f"{told}\n{fence}\n{head}\n{fence}"


def _refusal(subject: str, result: str) -> str:
    why, reason = _WHY.search(result), _REASON.search(result)
    told = f"{subject} was not run"
    if why:
        told += f": {why['why']}"
    if reason and reason["reason"].strip():
        told += f" (“{reason['reason'].strip().removesuffix('.')}”)"
    return f"{told}."


def _question(ask: Ask) -> str:
    names = _joined([f"`{name}`" for name in ask.missing])
    example = _EXAMPLES.get(ask.tool.name, f"#{ask.tool.name} …")
    return f"I would call `{ask.tool.name}`, but you did not say its {names}. For example: “{example}”"


def _topic(words: str) -> str:
    said = meaning(words)
    scored = [(len(said & meaning(keys)), text) for keys, text in _TOPICS]
    best = max(scored, key=lambda one: one[0])
    return best[1] if best[0] else ""


def _examples(tools: Sequence[ToolSpec]) -> list[str]:
    known = [_EXAMPLES[tool.name] for tool in tools if tool.name in _EXAMPLES]
    return (known + [f"#{tool.name} …" for tool in tools if tool.name not in _EXAMPLES])[:3]


def _of(arguments: str) -> str:
    """The argument that tells one call from another, if it is short."""
    value = _structured(arguments)
    for item in value.values() if isinstance(value, dict) else []:
        if isinstance(item, str) and item and len(item) <= 60 and "`" not in item:
            return f" ({item})"
    return ""


def _structured(text: str) -> Json:
    try:
        return parse(text) if text[:1] in ("{", "[") else None
    except ValueError:
        return None


def _fields(value: dict[str, Json]) -> list[str]:
    lines = [f"- {key}: {_plain(item)}" for key, item in list(value.items())[:_MOST_FIELDS]]
    return lines + ([f"- and {len(value) - _MOST_FIELDS} more"] if len(value) > _MOST_FIELDS else [])


def _plain(value: Json) -> str:
    match value:
        case str():
            text = " ".join(value.split())
        case bool():
            text = "yes" if value else "no"
        case None:
            text = "nothing"
        case dict():
            text = ", ".join(f"{key} {_plain(item)}" for key, item in list(value.items())[:_MOST_FIELDS])
        case list():
            text = ", ".join(_plain(item) for item in value[:_MOST_FIELDS])
        case _:
            text = str(value)
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


def _joined(pieces: Sequence[str]) -> str:
    if len(pieces) < 2:
        return "".join(pieces)
    return f"{', '.join(pieces[:-1])} and {pieces[-1]}"
