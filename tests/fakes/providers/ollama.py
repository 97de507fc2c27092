"""Ollama as its own server serves `/api/chat`: lines instead of events, and calls without ids unless it is new."""

import base64
from typing import Any

import orjson
from tests.fakes.providers import scene
from tests.fakes.providers.service import Asked, Reply, Service, Told, whole
from tests.fakes.providers.shape import fields, insist, items, one_of, text

MODEL = "qwen3:8b"
_OPTIONAL = ["tools", "stream", "format", "options", "keep_alive", "think", "logprobs", "top_logprobs", "truncate"]
_OPTIONS = [
    "num_ctx",
    "num_predict",
    "temperature",
    "top_p",
    "top_k",
    "stop",
    "seed",
    "presence_penalty",
    "frequency_penalty",
    "repeat_penalty",
]


class OllamaService(Service):
    wire = "ollama"

    def __init__(self) -> None:
        super().__init__()
        self.identifies_calls = False
        """True: calls have ids, as those of newer servers."""

    def check(self, asked: Asked) -> None:
        insist(asked.path == "/api/chat", f"404 page not found: {asked.path}")
        body = fields(asked.body, "body", ["model", "messages"], _OPTIONAL)
        text(body["model"], "model", empty=False)
        insist(isinstance(body.get("stream", True), bool), "stream: expected a boolean")
        fields(body.get("options", {}), "options", [], _OPTIONS)
        declared = [
            _check_tool(tool, f"tools[{at}]")
            for at, tool in enumerate(items(body.get("tools", []), "tools", empty=True))
        ]
        insist(len(set(declared)) == len(declared), "tools: a name is there twice")
        waiting: list[dict[str, Any]] = []
        for at, message in enumerate(items(body["messages"], "messages")):
            waiting = _check_message(message, f"messages[{at}]", waiting)
        insist(not waiting, "a call has no result")

    def refusal(self, message: str) -> Reply:
        return whole({"error": message}, 400)

    # ---- answering -------------------------------------------------------------------------------------------------

    def answer(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            return whole({"models": [{"name": MODEL, "model": MODEL, "size": 1, "digest": "x", "details": {}}]})
        last = asked.body["messages"][-1]
        if last["role"] == "tool":
            return self.reply(asked, [{"content": scene.FINAL}])
        if last["content"] == scene.THANKS:
            return self.reply(asked, [{"content": scene.WELCOME}])
        thought = [{"thinking": scene.THINKING}] if asked.body.get("think") else []
        calls = [
            {"function": {"name": scene.WEATHER, "arguments": scene.WEATHER_ARGUMENTS}},
            {"function": {"name": scene.NOTE, "arguments": scene.NOTE_ARGUMENTS}},
        ]
        if self.identifies_calls:
            calls = [{"id": f"call_{self.number():08}", **call} for call in calls]
        said = [{"content": piece} for piece in scene.fragments(scene.OPENING, 20)]
        return self.reply(asked, [*thought, *said, *({"tool_calls": [call]} for call in calls)])

    def reply(self, asked: Asked, messages: list[dict[str, Any]], reason: str = "stop") -> Reply:
        number = self.number()
        head = {"model": asked.body["model"], "created_at": f"2026-11-19T08:52:03.{number:09}Z"}
        end = {"done": True, "done_reason": reason, **USAGE}
        if asked.body.get("stream", True):
            lines = [{**head, "message": _message(message), "done": False} for message in messages]
            lines.append({**head, "message": _message({}), **end})
            body = b"".join(orjson.dumps(line) + b"\n" for line in lines)
            return Reply(body, content_type="application/x-ndjson")
        joined: dict[str, Any] = {}
        for message in messages:
            for key, value in message.items():
                joined[key] = joined[key] + value if key in joined else value
        return whole({**head, "message": _message(joined), **end})

    def told(self, body: dict[str, Any]) -> Told:
        calls = [call for message in body["messages"] for call in message.get("tool_calls", ())]
        results = [message for message in body["messages"] if message["role"] == "tool"]
        return Told(
            [(call.get("id", ""), call["function"]["name"], call["function"]["arguments"]) for call in calls],
            {result.get("tool_call_id", result["tool_name"]): result["content"] for result in results},
            [],
        )


USAGE = {
    "total_duration": 5191566416,
    "load_duration": 2154458,
    "prompt_eval_count": scene.INPUT,
    "prompt_eval_duration": 383809000,
    "eval_count": scene.OUTPUT,
    "eval_duration": 4799921000,
}


def _message(said: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": "", **said}


def _check_tool(tool: Any, where: str) -> str:
    fields(tool, where, ["type", "function"])
    one_of(tool["type"], ["function"], f"{where}.type")
    function = fields(tool["function"], f"{where}.function", ["name", "parameters"], ["description"])
    insist(isinstance(function["parameters"], dict), f"{where}: parameters must be an object")
    insist(function["parameters"].get("type") == "object", f"{where}: parameters.type must be 'object'")
    return text(function["name"], f"{where}.function.name", empty=False)


def _check_message(message: Any, where: str, waiting: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The calls that then wait for their results."""
    role = one_of(message.get("role"), ["system", "user", "assistant", "tool"], f"{where}.role") or message["role"]
    optional = {
        "system": [],
        "user": ["images"],
        "assistant": ["thinking", "tool_calls"],
        "tool": ["tool_name", "tool_call_id", "images"],
    }
    fields(message, where, ["role", "content"], optional[role])
    text(message["content"], f"{where}.content")
    for image in items(message.get("images", []), f"{where}.images", empty=True):
        base64.b64decode(text(image, f"{where}.images"), validate=True)
    if role == "tool":
        named, given = message.get("tool_name"), message.get("tool_call_id")
        found = [
            call for call in waiting if given in (None, call.get("id")) and named in (None, call["function"]["name"])
        ]
        insist(found, f"{where}: the result of {named!r} answers no call")
        return [call for call in waiting if call is not found[0]]
    insist(not waiting, f"{where}: a call has no result")
    calls = items(message.get("tool_calls", []), f"{where}.tool_calls", empty=True)
    for call in calls:
        function = fields(call, where, ["function"], ["id"])["function"]
        fields(function, f"{where}.function", ["name", "arguments"])
        insist(isinstance(function["arguments"], dict), f"{where}: arguments must be an object")
    return list(calls)
