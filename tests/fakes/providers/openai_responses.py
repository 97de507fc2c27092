"""OpenAI Responses as `api.openai.com/v1/responses` serves it to a model that reasons."""

import base64
from typing import Any

import orjson
from tests.fakes.providers import openai_responses_built_in as built_in
from tests.fakes.providers import scene
from tests.fakes.providers.openai_responses_input import check_input, check_tools
from tests.fakes.providers.service import Asked, Reply, Service, Told, whole
from tests.fakes.providers.shape import check_reply_schema, fields, insist, one_of, openai_sampling

MODEL = "gpt-5.5"

_TOP = [
    "background",
    "conversation",
    "include",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
]
_INCLUDES = (
    "reasoning.encrypted_content",
    "message.output_text.logprobs",
    "message.input_image.image_url",
    "file_search_call.results",
    "web_search_call.action.sources",
    "code_interpreter_call.outputs",
    "computer_call_output.output.image_url",
)
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")


class OpenAIResponsesService(Service):
    wire = "openai-responses"

    def __init__(self) -> None:
        super().__init__()
        self.reasoning: dict[str, dict[str, Any]] = {}
        """Every reasoning item that was given out, by its id."""
        self.stored: dict[str, list[Any]] = {}
        """Input and output of every stored response."""

    def check(self, asked: Asked) -> None:
        insist(asked.path == "/v1/responses", f"Invalid URL (POST {asked.path})")
        insist(asked.headers.get("authorization", "").startswith("Bearer "), "no API key provided")
        body = fields(asked.body, "body", ["model", "input"], _TOP)
        for name in body.get("include") or ():
            one_of(name, _INCLUDES, "include")
        if body.get("reasoning") is not None:
            reasoning = fields(body["reasoning"], "reasoning", [], ["context", "effort", "summary", "generate_summary"])
            one_of(reasoning.get("effort"), (None, *_EFFORTS), "reasoning.effort")
            one_of(reasoning.get("summary"), (None, "auto", "concise", "detailed"), "reasoning.summary")
        if body.get("text") is not None:
            shape = fields(body["text"], "text", [], ["format", "verbosity"]).get("format") or {"type": "text"}
            if one_of(shape.get("type"), ("text", "json_object", "json_schema"), "text.format.type") == "json_schema":
                check_reply_schema(shape, "text.format", ["type", "name", "schema"], [])
        thinks = (body.get("reasoning") or {}).get("effort") != "none"
        for name in ("temperature", "top_p"):
            refused = body.get(name) is not None and thinks
            insist(not refused, f"Unsupported parameter: '{name}' is not supported with this model.")
        openai_sampling(body)
        if "tools" in body:
            check_tools(body["tools"])
        before = body.get("previous_response_id")
        insist(before is None or before in self.stored, f"Previous response with id '{before}' not found.")
        check_input(
            [*self.stored.get(before or "", []), *map(self.looked_up, _as_items(body["input"]))],
            self.reasoning,
            stored=bool(body.get("store", True)),
        )

    def looked_up(self, item: dict[str, Any]) -> dict[str, Any]:
        """What an `item_reference` stands for."""
        if item.get("type") != "item_reference":
            return item
        known = (kept for stored in self.stored.values() for kept in stored if kept.get("id") == item["id"])
        found = next(known, None)
        insist(found, f"Item with id '{item['id']}' not found.")
        assert found is not None
        return found

    def refusal(self, message: str) -> Reply:
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
        return whole({"error": error}, 400)

    # ---- answering -------------------------------------------------------------------------------------------------

    def answer(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            return self._get(asked.path)
        body = asked.body
        last = _as_items(body["input"])[-1]
        if last.get("type", "message").endswith("_call_output"):
            return self.reply(body, [self.message(scene.FINAL)])
        if scene.THANKS in str(last.get("content")):
            return self.reply(body, [self.message(scene.WELCOME)])
        number = self.number()
        calls = [
            self.function_call(f"call_rw{number:022}", scene.WEATHER, scene.written(scene.WEATHER_ARGUMENTS)),
            self.function_call(f"call_rn{number:022}", scene.NOTE, scene.written(scene.NOTE_ARGUMENTS)),
        ]
        return self.reply(body, [self.thought(body), self.message(scene.OPENING), *calls])

    def reply(self, body: dict[str, Any], output: list[dict[str, Any]], incomplete: str = "") -> Reply:
        """`incomplete`: why it ends before its time."""
        response = self._envelope(body)
        done = response | {"status": "completed", "output": output, "usage": USAGE}
        if incomplete:
            done |= {"status": "incomplete", "incomplete_details": {"reason": incomplete}}
        if body.get("store", True):
            earlier = self.stored.get(body.get("previous_response_id") or "", [])
            self.stored[response["id"]] = [*earlier, *_as_items(body["input"]), *output]
        return Reply(_stream(response, done)) if body.get("stream") else whole(done)

    def told(self, body: dict[str, Any]) -> Told:
        kinds = [(item.get("type", "message"), item) for item in _as_items(body["input"])]
        calls = [item for kind, item in kinds if kind == "function_call"]
        return Told(
            [(item["call_id"], item["name"], orjson.loads(item["arguments"])) for item in calls],
            {item["call_id"]: item["output"] for kind, item in kinds if kind == "function_call_output"},
            [item["encrypted_content"] for kind, item in kinds if kind == "reasoning" and "encrypted_content" in item],
        )

    def thought(self, body: dict[str, Any]) -> dict[str, Any]:
        number = self.number()
        secret = "gAAAAAB" + base64.urlsafe_b64encode(f"reasoning {number} née".encode()).decode()
        item = {
            "id": f"rs_{number:048}",
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": scene.THINKING}],
        }
        if "reasoning.encrypted_content" in (body.get("include") or ()):
            item["encrypted_content"] = secret
        self.reasoning[item["id"]] = item
        return item

    def message(self, words: str) -> dict[str, Any]:
        part = {"type": "output_text", "annotations": [], "logprobs": [], "text": words}
        return {
            "id": f"msg_{self.number():048}",
            "type": "message",
            "status": "completed",
            "content": [part],
            "role": "assistant",
        }

    def refuse(self, words: str) -> dict[str, Any]:
        return self.message("") | {"content": [{"type": "refusal", "refusal": words}]}

    def function_call(self, call_id: str, name: str, arguments: str) -> dict[str, Any]:
        return {
            "id": f"fc_{self.number():048}",
            "type": "function_call",
            "status": "completed",
            "arguments": arguments,
            "call_id": call_id,
            "name": name,
        }

    def _envelope(self, body: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": f"resp_{self.number():048}",
            "object": "response",
            "created_at": 1763300000,
            "status": "in_progress",
            "background": False,
            "error": None,
            "incomplete_details": None,
            "instructions": body.get("instructions"),
            "max_output_tokens": body.get("max_output_tokens"),
            "model": MODEL,
            "output": [],
            "parallel_tool_calls": True,
            "previous_response_id": body.get("previous_response_id"),
            "reasoning": {"effort": "medium", "summary": "detailed"},
            "service_tier": "default",
            "store": body.get("store", True),
            "temperature": 1.0,
            "text": {"format": {"type": "text"}, "verbosity": "medium"} | (body.get("text") or {}),
            "tool_choice": body.get("tool_choice", "auto"),
            "tools": body.get("tools", []),
            "top_p": 1.0,
            "truncation": "disabled",
            "usage": None,
            "user": None,
            "metadata": {},
        }

    def _get(self, path: str) -> Reply:
        if path.startswith("/v1/models"):
            listed = {"id": MODEL, "object": "model", "created": 1760000000, "owned_by": "system"}
            return whole({"object": "list", "data": [listed]})
        error = {"message": f"Response with id '{path.rpartition('/')[2]}' not found.", "type": "invalid_request_error"}
        return whole({"error": error | {"param": None, "code": None}}, 404)


USAGE = {
    "input_tokens": scene.INPUT,
    "input_tokens_details": {"cached_tokens": scene.CACHED, "cache_write_tokens": 0},
    "output_tokens": scene.OUTPUT,
    "output_tokens_details": {"reasoning_tokens": scene.REASONED},
    "total_tokens": scene.INPUT + scene.OUTPUT,
}


def _as_items(given: Any) -> list[Any]:
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def _stream(response: dict[str, Any], done: dict[str, Any]) -> bytes:
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": response},
        {"type": "response.in_progress", "response": response},
    ]
    for index, item in enumerate(done["output"]):
        at = {"output_index": index}
        events.append({"type": "response.output_item.added", **at, "item": _begun(item)})
        events += _growth(item, {"item_id": item["id"], **at})
        events.append({"type": "response.output_item.done", **at, "item": item})
    events.append({"type": f"response.{done['status']}", "response": done})
    lines: list[bytes] = []
    for number, event in enumerate(events):
        name = event["type"].encode()
        lines.append(b"event: " + name + b"\ndata: " + orjson.dumps({**event, "sequence_number": number}) + b"\n\n")
    return b"".join(lines)


def _begun(item: dict[str, Any]) -> dict[str, Any]:
    match item["type"]:
        case kind if kind in built_in.KINDS:
            return built_in.begun(item)
        case "reasoning":
            return item | {"summary": []}
        case "message":
            return item | {"status": "in_progress", "content": []}
        case "custom_tool_call":
            return item | {"status": "in_progress", "input": ""}
        case _:
            return item | {"status": "in_progress", "arguments": ""}


def _growth(item: dict[str, Any], at: dict[str, Any]) -> list[dict[str, Any]]:
    match item["type"]:
        case kind if kind in built_in.KINDS:
            return built_in.growth(item, at)
        case "reasoning":
            return _summary(item, at)
        case "message":
            part, at = item["content"][0], at | {"content_index": 0}
            return _refusal(part, at) if part["type"] == "refusal" else _words(part, at)
        case "custom_tool_call":
            kind, key, text = "response.custom_tool_call_input", "input", item["input"]
        case _:
            kind, key, text = "response.function_call_arguments", "arguments", item["arguments"]
    pieces = [{"type": f"{kind}.delta", **at, "delta": piece, "obfuscation": "q9"} for piece in scene.fragments(text)]
    return [*pieces, {"type": f"{kind}.done", **at, key: text}]


def _summary(item: dict[str, Any], at: dict[str, Any]) -> list[dict[str, Any]]:
    at = at | {"summary_index": 0}
    part = item["summary"][0]
    kind = "response.reasoning_summary"
    return [
        {"type": f"{kind}_part.added", **at, "part": {"type": "summary_text", "text": ""}},
        *(
            {"type": f"{kind}_text.delta", **at, "delta": piece, "obfuscation": "Zk"}
            for piece in scene.fragments(part["text"])
        ),
        {"type": f"{kind}_text.done", **at, "text": part["text"]},
        {"type": f"{kind}_part.done", **at, "part": part},
    ]


def _words(part: dict[str, Any], at: dict[str, Any]) -> list[dict[str, Any]]:
    more = {"logprobs": [], "obfuscation": "w2E"}
    return [
        {"type": "response.content_part.added", **at, "part": part | {"text": ""}},
        *({"type": "response.output_text.delta", **at, "delta": p, **more} for p in scene.fragments(part["text"])),
        {"type": "response.output_text.done", **at, "text": part["text"], "logprobs": []},
        {"type": "response.content_part.done", **at, "part": part},
    ]


def _refusal(part: dict[str, Any], at: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "response.content_part.added", **at, "part": part | {"refusal": ""}},
        *({"type": "response.refusal.delta", **at, "delta": piece} for piece in scene.fragments(part["refusal"])),
        {"type": "response.refusal.done", **at, "refusal": part["refusal"]},
        {"type": "response.content_part.done", **at, "part": part},
    ]
