"""OpenAI Chat Completions as `api.openai.com/v1/chat/completions` serves it to `gpt-4.1`."""

from typing import Any

import orjson
from tests.fakes.providers import scene
from tests.fakes.providers.service import Asked, Reply, Service, Told, whole
from tests.fakes.providers.shape import (
    OPENAI_NAME,
    check_reply_schema,
    fields,
    insist,
    items,
    object_schema,
    one_of,
    openai_sampling,
    strict_schema,
    text,
)

MODEL = "gpt-4.1"
FULL_MODEL = "gpt-4.1-2025-04-14"
LONGEST_ID = 64

_TOP = [
    "audio",
    "frequency_penalty",
    "function_call",
    "functions",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "metadata",
    "modalities",
    "n",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
    "web_search_options",
]
_FROM_SDK = ("refusal", "annotations", "audio", "function_call", "parsed")
"""What the official package sends back of a message, and the service bears."""


class OpenAIChatService(Service):
    wire = "openai-chat"

    def check(self, asked: Asked) -> None:
        insist(asked.path == "/v1/chat/completions", f"Invalid URL (POST {asked.path})")
        insist(asked.headers.get("authorization", "").startswith("Bearer "), "no API key provided")
        body = fields(asked.body, "body", ["model", "messages"], _TOP)
        insist("reasoning_effort" not in body, "Unrecognized request argument supplied: reasoning_effort")
        insist("stream_options" not in body or body.get("stream"), "stream_options is only allowed with stream")
        openai_sampling(body)
        for index, tool in enumerate(items(body["tools"], "tools") if "tools" in body else []):
            _check_tool(tool, f"tools[{index}]")
        if "tool_choice" in body:
            _check_choice(body["tool_choice"], body["tools"])
        if body.get("response_format") is not None:
            _check_format(body["response_format"])
        _check_messages(items(body["messages"], "messages"))

    def refusal(self, message: str) -> Reply:
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
        return whole({"error": error}, 400)

    # ---- answering -------------------------------------------------------------------------------------------------

    def answer(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            listed = {"id": MODEL, "object": "model", "created": 1744316542, "owned_by": "system"}
            return whole({"object": "list", "data": [listed]})
        body = asked.body
        last = body["messages"][-1]
        if last["role"] == "tool":
            return self.says(scene.FINAL, body)
        return self.says(scene.WELCOME, body) if scene.THANKS in str(last["content"]) else self.calls(body)

    def told(self, body: dict[str, Any]) -> Told:
        messages = body["messages"]
        calls = [call for message in messages for call in message.get("tool_calls") or ()]
        return Told(
            [(call["id"], call[call["type"]]["name"], _arguments(call)) for call in calls],
            {message["tool_call_id"]: message["content"] for message in messages if message["role"] == "tool"},
            [],
        )

    def calls(self, body: dict[str, Any]) -> Reply:
        number = self.number()
        called = [
            (f"call_w{number:023}", scene.WEATHER, scene.written(scene.WEATHER_ARGUMENTS)),
            (f"call_n{number:023}", scene.NOTE, scene.written(scene.NOTE_ARGUMENTS)),
        ]
        return self.reply(body, scene.OPENING, called)

    def says(self, words: str, body: dict[str, Any]) -> Reply:
        return self.reply(body, words, [])

    def reply(self, body: dict[str, Any], words: str, called: list[tuple[str, str, str]], finish: str = "") -> Reply:
        """`called`: id, name, arguments; a tool that is offered as a custom one is called so."""
        calls = [_call(body, call_id, name, arguments) for call_id, name, arguments in called]
        message: dict[str, Any] = {"content": words, "refusal": None, "annotations": []}
        if calls:
            message["tool_calls"] = calls
        return self._answer(body, message, _growth(body, words, called), finish or ("tool_calls" if calls else "stop"))

    def refuse(self, body: dict[str, Any], words: str) -> Reply:
        deltas = [{"refusal": piece} for piece in scene.fragments(words)]
        return self._answer(body, {"content": None, "refusal": words, "annotations": []}, deltas, "stop")

    def _answer(
        self, body: dict[str, Any], message: dict[str, Any], deltas: list[dict[str, Any]], finish: str
    ) -> Reply:
        if body.get("stream"):
            usage = (body.get("stream_options") or {}).get("include_usage")
            return Reply(self._stream(deltas, finish, bool(usage)))
        message = {"role": "assistant"} | message
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
        more = {"service_tier": "default", "system_fingerprint": "fp_51e1070cf2"}
        return whole(self._head("chat.completion") | {"choices": [choice], "usage": USAGE} | more)

    def _stream(self, deltas: list[dict[str, Any]], finish: str, usage: bool) -> bytes:
        head = self._head("chat.completion.chunk") | {"service_tier": "default", "system_fingerprint": "fp_51e1070cf2"}
        deltas = [{"role": "assistant", "content": "", "refusal": None}, *deltas]
        choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": None} for delta in deltas]
        choices.append({"index": 0, "delta": {}, "logprobs": None, "finish_reason": finish})
        unsaid: dict[str, Any] = {"usage": None} if usage else {}
        chunks = [head | {"choices": [choice]} | unsaid | {"obfuscation": "xK3"} for choice in choices]
        if usage:
            chunks.append(head | {"choices": [], "usage": USAGE, "obfuscation": "0pQ"})
        return b"".join(b"data: " + orjson.dumps(chunk) + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": f"chatcmpl-C{self.number():028}", "object": kind, "created": 1763300000, "model": FULL_MODEL}


USAGE = {
    "prompt_tokens": scene.INPUT,
    "completion_tokens": scene.OUTPUT,
    "total_tokens": scene.INPUT + scene.OUTPUT,
    "prompt_tokens_details": {"cached_tokens": scene.CACHED, "audio_tokens": 0},
    "completion_tokens_details": {
        "reasoning_tokens": scene.REASONED,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0,
    },
}


def _growth(body: dict[str, Any], words: str, called: list[tuple[str, str, str]]) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"content": piece} for piece in scene.fragments(words)]
    for index, (call_id, name, arguments) in enumerate(called):
        begun = {"index": index} | _call(body, call_id, name, "")
        kind = begun["type"]
        deltas.append({"tool_calls": [begun]})
        for piece in scene.fragments(arguments):
            grown = {"input": piece} if kind == "custom" else {"arguments": piece}
            deltas.append({"tool_calls": [{"index": index, kind: grown}]})
    return deltas


def _call(body: dict[str, Any], call_id: str, name: str, arguments: str) -> dict[str, Any]:
    custom = [tool["custom"]["name"] for tool in body.get("tools", ()) if tool["type"] == "custom"]
    if name in custom:
        return {"id": call_id, "type": "custom", "custom": {"name": name, "input": arguments}}
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _arguments(call: dict[str, Any]) -> dict[str, Any]:
    if call["type"] == "custom":
        return {"input": call["custom"]["input"]}
    return orjson.loads(call["function"]["arguments"])


def _check_tool(tool: Any, where: str) -> None:
    kind = one_of(tool.get("type"), ("function", "custom"), f"{where}.type")
    fields(tool, where, ["type", kind])
    if kind == "custom":
        custom = fields(tool["custom"], f"{where}.custom", ["name"], ["description", "format"])
        insist(OPENAI_NAME.fullmatch(text(custom["name"], where)), f"{where}.custom.name: bad pattern")
        shape = custom.get("format", {"type": "text"})
        if one_of(shape.get("type"), ("text", "grammar"), f"{where}.custom.format.type") == "grammar":
            fields(shape, f"{where}.custom.format", ["type", "grammar"])
            fields(shape["grammar"], f"{where}.custom.format.grammar", ["syntax", "definition"])
        return
    function = fields(tool["function"], f"{where}.function", ["name"], ["description", "parameters", "strict"])
    insist(OPENAI_NAME.fullmatch(text(function["name"], where)), f"{where}.function.name: bad pattern")
    if function.get("parameters") is not None:
        object_schema(function["parameters"], f"{where}.function.parameters")
    if function.get("strict"):
        strict_schema(function["parameters"], f"{where}.function.parameters")


def _check_format(shape: Any) -> None:
    kind = one_of(shape.get("type"), ("text", "json_object", "json_schema"), "response_format.type")
    fields(shape, "response_format", ["type"], ["json_schema"])
    if kind == "json_schema":
        check_reply_schema(shape["json_schema"], "response_format.json_schema", ["name"], ["schema"])


def _check_choice(choice: Any, tools: list[Any]) -> None:
    if isinstance(choice, str):
        one_of(choice, ("none", "auto", "required"), "tool_choice")
        return
    kind = one_of(choice.get("type"), ("function", "custom", "allowed_tools"), "tool_choice.type")
    fields(choice, "tool_choice", ["type", kind])
    if kind != "allowed_tools":
        offered = [tool[tool["type"]]["name"] for tool in tools]
        one_of(choice[kind]["name"], offered, "tool_choice: a tool that is not offered")


def _check_messages(messages: list[Any]) -> None:
    waiting: set[str] = set()
    for index, message in enumerate(messages):
        where = f"messages[{index}]"
        role = one_of(message.get("role"), ("system", "developer", "user", "assistant", "tool"), f"{where}.role")
        if role == "tool":
            _check_result(message, where, waiting)
            continue
        insist(
            not waiting,
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {sorted(waiting)}",
        )
        if role == "assistant":
            waiting = _check_assistant(message, where)
        else:
            fields(message, where, ["role", "content"], ["name"])
            _check_content(message["content"], f"{where}.content", ("text", "image_url", "input_audio", "file"))
    insist(not waiting, f"The following tool_call_ids did not have response messages: {sorted(waiting)}")


def _check_assistant(message: dict[str, Any], where: str) -> set[str]:
    fields(message, where, ["role"], ["content", "name", "tool_calls", *_FROM_SDK])
    if message.get("content") is not None:
        _check_content(message["content"], f"{where}.content", ("text", "refusal"))
    if message.get("tool_calls") is None:
        insist(message.get("content") is not None or message.get("refusal"), f"{where}: content must not be null")
        return set()
    ids: set[str] = set()
    for number, call in enumerate(items(message["tool_calls"], f"{where}.tool_calls")):
        place = f"{where}.tool_calls[{number}]"
        kind = one_of(call.get("type"), ("function", "custom"), f"{place}.type")
        fields(call, place, ["id", "type", kind], ["index"])
        insist(0 < len(text(call["id"], f"{place}.id")) <= LONGEST_ID, f"{place}.id: string too long")
        insist(call["id"] not in ids, f"{place}.id: duplicate")
        ids.add(call["id"])
        if kind == "function":
            fields(call["function"], place, ["name", "arguments"], ["parsed_arguments"])
            insist(OPENAI_NAME.fullmatch(text(call["function"]["name"], place)), f"{place}: bad name")
            text(call["function"]["arguments"], f"{place}.function.arguments")
        else:
            fields(call["custom"], place, ["name", "input"])
    return ids


def _check_result(message: dict[str, Any], where: str, waiting: set[str]) -> None:
    fields(message, where, ["role", "tool_call_id", "content"], ["name"])
    insist(
        message["tool_call_id"] in waiting,
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        f" ({where}: {message['tool_call_id']!r}, waiting: {sorted(waiting)})",
    )
    waiting.remove(message["tool_call_id"])
    _check_content(message["content"], f"{where}.content", ("text",))


def _check_content(content: Any, where: str, kinds: tuple[str, ...]) -> None:
    if isinstance(content, str):
        return
    for index, part in enumerate(items(content, where)):
        kind = one_of(part.get("type"), kinds, f"{where}[{index}].type")
        fields(part, f"{where}[{index}]", ["type", kind])
