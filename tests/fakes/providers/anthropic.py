"""Anthropic Messages as `api.anthropic.com/v1/messages` serves it to a new and to an older model that think."""

import base64
from typing import Any

import orjson
from tests.fakes.providers import scene
from tests.fakes.providers.anthropic_messages import check_held_to, check_messages, check_tools
from tests.fakes.providers.service import Asked, Reply, Service, Told, whole
from tests.fakes.providers.shape import fields, insist, items, one_of, text

MODEL = "claude-sonnet-5-5"
OLDER_MODEL = "claude-opus-4-5"
"""Thinks within a budget of tokens."""
NEW_VERSION = "2026-10-21"
THREADS = "message-threads-2026-08-12"
"""The beta under which the service keeps a conversation, and a client sends only what is new."""

_TOP = [
    "cache_control",
    "container",
    "context_management",
    "mcp_servers",
    "metadata",
    "output_config",
    "service_tier",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "thread",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
]


class AnthropicService(Service):
    wire = "anthropic"

    def __init__(self) -> None:
        super().__init__()
        self.thoughts: dict[str, str] = {}
        """Signature → the thinking it proves."""
        self.threads: dict[str, dict[str, Any]] = {}
        """Message id → the request that it answered, with the answer."""

    def check(self, asked: Asked) -> None:
        path = asked.path.partition("?")[0]
        version = asked.headers.get("anthropic-version", "")
        one_of(version, ("2023-06-01", NEW_VERSION), "anthropic-version")
        key = asked.headers.get("x-api-key") or asked.headers.get("authorization", "").startswith("Bearer ")
        insist(key, "x-api-key header is required")
        if path == "/v1/messages/count_tokens":
            fields(asked.body, "body", ["model", "messages"], _TOP)
            return
        insist(path == "/v1/messages", f"Not found: {path}")
        body = self.whole_request(asked)
        fields(body, "body", ["model", "messages", "max_tokens"], _TOP)
        insist(isinstance(body["max_tokens"], int) and body["max_tokens"] > 0, "max_tokens: must be at least 1")
        if version == NEW_VERSION or body["model"] != OLDER_MODEL:
            for name in ("temperature", "top_p", "top_k"):
                insist(name not in body, f"{name}: not supported by this version or model")
        config = fields(body.get("output_config", {}), "output_config", [], ["effort", "format"])
        one_of(config.get("effort"), (None, "low", "medium", "high", "xhigh", "max"), "output_config.effort")
        if config.get("format") is not None:
            shape = fields(config["format"], "output_config.format", ["type", "schema"])
            one_of(shape["type"], ("json_schema",), "output_config.format.type")
            insist(isinstance(shape["schema"], dict), "output_config.format.schema: Input should be an object")
            check_held_to(shape["schema"], "output_config.format.schema")
        if isinstance(body.get("system"), list):
            for index, block in enumerate(items(body["system"], "system")):
                where = f"system.{index}"
                text(fields(block, where, ["type", "text"], ["cache_control"])["text"], where, empty=False)
        thinks = _check_thinking(body)
        if "tools" in body:
            unforced = thinks or body["model"] != OLDER_MODEL
            check_tools(body["tools"], body.get("tool_choice"), unforced=unforced)
        insist("tools" in body or "tool_choice" not in body, "tool_choice may only be specified while providing tools.")
        check_messages(body["messages"], self.thoughts, has_tools="tools" in body, thinks=thinks)

    def whole_request(self, asked: Asked) -> dict[str, Any]:
        """With what its thread has said before."""
        body = asked.body
        if "thread" not in body:
            return body
        insist(THREADS in asked.headers.get("anthropic-beta", ""), "thread: Extra inputs are not permitted")
        thread = fields(body["thread"], "thread", ["type"], ["previous_message_id"])
        if one_of(thread["type"], ("create", "continue"), "thread.type") == "create":
            return body
        before = self.threads.get(thread.get("previous_message_id"))
        insist(before, f"thread.previous_message_id: {thread.get('previous_message_id')!r} is not known")
        assert before is not None
        return before | body | {"messages": [*before["messages"], *body["messages"]]}

    def refusal(self, message: str) -> Reply:
        error = {"type": "invalid_request_error", "message": message}
        return whole({"type": "error", "error": error, "request_id": "req_011"}, 400, request_id="req_011")

    # ---- answering -------------------------------------------------------------------------------------------------

    def answer(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            listed = {"type": "model", "id": MODEL, "display_name": "Claude", "created_at": "2025-09-29T00:00:00Z"}
            return whole({"data": [listed], "has_more": False, "first_id": MODEL, "last_id": MODEL})
        if "count_tokens" in asked.path:
            return whole({"input_tokens": 4711})
        body = self.whole_request(asked)
        last = body["messages"][-1]["content"]
        if isinstance(last, list) and any(block["type"] == "tool_result" for block in last):
            return self.reply(body, [{"type": "text", "text": scene.FINAL}])
        if scene.THANKS in str(last):
            return self.reply(body, [{"type": "text", "text": scene.WELCOME}])
        number = self.number()
        thinks = (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")
        return self.reply(
            body,
            [
                *([self.thought()] if thinks else []),
                {"type": "text", "text": scene.OPENING},
                self.tool_use(f"toolu_01w{number:021}", scene.WEATHER, scene.WEATHER_ARGUMENTS),
                self.tool_use(f"toolu_01n{number:021}", scene.NOTE, scene.NOTE_ARGUMENTS),
            ],
        )

    def told(self, body: dict[str, Any]) -> Told:
        blocks = [block for turn in body["messages"] if isinstance(turn["content"], list) for block in turn["content"]]
        return Told(
            [(block["id"], block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"],
            {block["tool_use_id"]: _words(block) for block in blocks if block["type"] == "tool_result"},
            [block["signature"] for block in blocks if block["type"] == "thinking"],
        )

    def thought(self) -> dict[str, Any]:
        signature = "EqQB" + base64.b64encode(f"thinking {self.number()} née".encode()).decode()
        self.thoughts[signature] = scene.THINKING
        return {"type": "thinking", "thinking": scene.THINKING, "signature": signature}

    def tool_use(self, call_id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}

    def reply(self, body: dict[str, Any], content: list[dict[str, Any]], stop: str = "") -> Reply:
        calls = any(block["type"] == "tool_use" for block in content)
        message = {
            "id": f"msg_01{self.number():022}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": stop or ("tool_use" if calls else "end_turn"),
            "stop_sequence": None,
            "usage": USAGE,
        }
        if stop == "refusal":
            message["stop_details"] = {"type": "refusal", "category": "cyber", "explanation": scene.REFUSAL}
        if "thread" in body:
            said = {"role": "assistant", "content": content}
            self.threads[message["id"]] = body | {"messages": [*body["messages"], said]}
        return Reply(_stream(message)) if body.get("stream") else whole(message, request_id="req_011")


USAGE = {
    "input_tokens": scene.INPUT - scene.CACHED,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": scene.CACHED,
    "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
    "output_tokens": scene.OUTPUT,
    "output_tokens_details": {"thinking_tokens": scene.REASONED},
    "service_tier": "standard",
}


def _check_thinking(body: dict[str, Any]) -> bool:
    thinking = body.get("thinking")
    if thinking is None:
        return False
    how = "enabled" if body["model"] == OLDER_MODEL else "adaptive"
    kind = one_of(thinking.get("type"), (how, "disabled"), f"thinking.type of {body['model']}")
    if kind != "enabled":
        fields(thinking, "thinking", ["type"], ["display"])
        return kind == "adaptive"
    budget = fields(thinking, "thinking", ["type", "budget_tokens"], ["display"])["budget_tokens"]
    insist(1024 <= budget < body["max_tokens"], f"thinking.budget_tokens: {budget} is not within 1024 and max_tokens")
    insist(body.get("temperature", 1) == 1, "`temperature` may only be set to 1 when thinking is enabled")
    return True


def _stream(message: dict[str, Any]) -> bytes:
    begun = message | {"content": [], "stop_reason": None, "usage": USAGE | {"output_tokens": 1}}
    begun.pop("stop_details", None)
    begun["usage"].pop("output_tokens_details")
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for index, block in enumerate(message["content"]):
        empty, deltas = _growth(block)
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        if index == 0:
            events.append({"type": "ping"})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    usage = {key: USAGE[key] for key in USAGE if key not in ("cache_creation", "service_tier")}
    stop = {key: message[key] for key in ("stop_reason", "stop_sequence", "stop_details") if key in message}
    events += [{"type": "message_delta", "delta": stop, "usage": usage}, {"type": "message_stop"}]
    return b"".join(
        b"event: " + event["type"].encode() + b"\ndata: " + orjson.dumps(event) + b"\n\n" for event in events
    )


def _growth(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    match block["type"]:
        case "thinking":
            thoughts = [{"type": "thinking_delta", "thinking": piece} for piece in scene.fragments(block["thinking"])]
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return {"type": "thinking", "thinking": "", "signature": ""}, [*thoughts, signed]
        case "tool_use":
            written = scene.written(block["input"]) if block["input"] else ""
            pieces = ["", *scene.fragments(written)]
            return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        case _:
            words = [{"type": "text_delta", "text": piece} for piece in scene.fragments(block["text"])]
            return {"type": "text", "text": ""}, words


def _words(result: dict[str, Any]) -> str:
    content = result.get("content", "")
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
