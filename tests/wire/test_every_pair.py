"""Histories that break gateways, from every wire into every other, before services as strict as the paid ones.

Each scene is spelled by hand in the client's wire, translated, and put before the provider's service, which shares no
code with the codecs: it must refuse nothing, and be told every call, every result and every picture.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import orjson
import pytest
from tests.fakes.providers import anthropic, gemini, ollama, openai_chat, openai_responses
from tests.fakes.providers.service import Asked, Service

from callgate.core.json.text import dump_bytes, parse
from callgate.core.request import WireName
from callgate.wire.dialects import PLAIN
from callgate.wire.gemini_generate.signatures import SKIP
from callgate.wire.registry import CODECS
from callgate.wire.translate import translate

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
STRINGS: tuple[WireName, ...] = ("openai-chat", "openai-responses")
"""Wires that carry arguments as text, whatever the text is."""


@dataclass(frozen=True)
class Call:
    id: str
    name: str = "look"
    arguments: str = '{"city":"Bern"}'
    result: str = "fine"
    picture: bool = False
    failed: bool = False


@dataclass(frozen=True)
class Scene:
    rounds: tuple[tuple[Call, ...], ...]
    thought: str = ""
    words: str = ""
    clients: tuple[WireName, ...] = field(default=("openai-chat", "openai-responses", "anthropic", "gemini", "ollama"))
    """Those whose wire can say it at all."""

    @property
    def calls(self) -> list[Call]:
        return [call for calls in self.rounds for call in calls]


SCENES = {
    "one call": Scene(((Call("call_1"),),)),
    "parallel calls": Scene(
        ((Call("call_1"), Call("call_2", "find", '{"q":[1,null]}'), Call("call_3", result="wet")),)
    ),
    "identical parallel calls": Scene(((Call("call_1"), Call("call_2"), Call("call_3")),)),
    "three rounds": Scene(((Call("call_1"),), (Call("call_2"), Call("call_3")), (Call("call_4"),))),
    "words beside calls": Scene(((Call("call_1"), Call("call_2")),), words="Let me look."),
    "reasoning of the client's own provider": Scene(((Call("call_1"), Call("call_2")),), thought="Two cities."),
    "a picture in a result": Scene(((Call("call_1", picture=True), Call("call_2")),)),
    "pictures in all results": Scene(((Call("call_1", picture=True), Call("call_2", picture=True)),)),
    "a failed call": Scene(((Call("call_1", result="no such city", failed=True), Call("call_2")),)),
    "an empty result": Scene(((Call("call_1", result=""), Call("call_2", result="")),)),
    "no arguments": Scene(((Call("call_1", arguments="{}"), Call("call_2", arguments="{}")),)),
    "empty arguments": Scene(((Call("call_1", arguments=""),),), clients=STRINGS),
    "broken JSON": Scene(((Call("call_1", arguments='{"city": "Zür'), Call("call_2")),), clients=STRINGS),
    "arguments that are no object": Scene(((Call("call_1", arguments='["Bern"]'),),), clients=STRINGS),
    "the same ids in every round": Scene(
        ((Call("call_0"), Call("call_1")), (Call("call_0", result="wet"), Call("call_1", result="dry"))),
        clients=("openai-chat", "openai-responses", "gemini"),
    ),
    "ids that others refuse": Scene(
        ((Call("functions.look:0/ä " + "x" * 60), Call("functions.look:1/ä " + "x" * 60, result="wet")),),
        clients=("openai-responses", "gemini"),
    ),
    "unicode everywhere": Scene(
        ((Call("call_1", arguments='{"stadt":"Zürich 🌧 \\u2028 日本"}', result="☔ \u2028\u0085 naïve 𝔘"),),),
        words="Grüezi 👋",
    ),
    "JSON in a result": Scene(((Call("call_1", result='{"output":1,"error":2,"$ref":"x"}'),),)),
}
SERVICES: dict[WireName, tuple[Callable[[], Service], str, str]] = {
    "openai-chat": (openai_chat.OpenAIChatService, "/v1/chat/completions", openai_chat.MODEL),
    "openai-responses": (openai_responses.OpenAIResponsesService, "/v1/responses", openai_responses.MODEL),
    "anthropic": (anthropic.AnthropicService, "/v1/messages", anthropic.MODEL),
    "gemini": (gemini.GeminiService, f"/v1beta/models/{gemini.MODEL}:generateContent", gemini.MODEL),
    "ollama": (ollama.OllamaService, "/api/chat", ollama.MODEL),
}
KEYS = {"authorization": "Bearer k", "x-api-key": "k", "x-goog-api-key": "k", "anthropic-version": "2023-06-01"}
CASES = [
    pytest.param(client, provider, scene, id=f"{client}-to-{provider}: {name}")
    for name, scene in SCENES.items()
    for client in scene.clients
    for provider in SERVICES
    if client != provider
]


# ---- as clients spell it ---------------------------------------------------------------------------------------------


def spelled(client: WireName, scene: Scene) -> dict[str, Any]:
    writers = {
        "openai-chat": _chat,
        "openai-responses": _responses,
        "anthropic": _anthropic,
        "gemini": _gemini,
        "ollama": _ollama,
    }
    return writers[client](scene)


def _chat(scene: Scene) -> dict[str, Any]:
    messages: list[Any] = [{"role": "user", "content": "Weather?"}]
    for calls in scene.rounds:
        made = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in calls
        ]
        turn = {"role": "assistant", "content": scene.words or None, "tool_calls": made}
        messages.append(turn | ({"reasoning_content": scene.thought} if scene.thought else {}))
        for call in calls:
            shown: Any = call.result
            if call.picture:
                url = {"url": f"data:image/png;base64,{PICTURE}"}
                shown = [{"type": "text", "text": call.result}, {"type": "image_url", "image_url": url}]
            messages.append({"role": "tool", "tool_call_id": call.id, "content": shown})
    names = dict.fromkeys(call.name for call in scene.calls)
    tools = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in names]
    return {"model": "m", "messages": messages, "tools": tools}


def _responses(scene: Scene) -> dict[str, Any]:
    items: list[Any] = [{"role": "user", "content": "Weather?"}]
    for calls in scene.rounds:
        if scene.thought:
            summary = [{"type": "summary_text", "text": scene.thought}]
            items.append({"type": "reasoning", "summary": summary, "encrypted_content": "gAAAA-own"})
        if scene.words:
            items.append({"role": "assistant", "content": [{"type": "output_text", "text": scene.words}]})
        items += [
            {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
            for call in calls
        ]
        for call in calls:
            shown: Any = call.result
            if call.picture:
                image = {"type": "input_image", "image_url": f"data:image/png;base64,{PICTURE}", "detail": "auto"}
                shown = [{"type": "input_text", "text": call.result}, image]
            items.append({"type": "function_call_output", "call_id": call.id, "output": shown})
    names = dict.fromkeys(call.name for call in scene.calls)
    tools = [{"type": "function", "name": name, "parameters": {"type": "object"}, "strict": False} for name in names]
    return {"model": "m", "input": items, "tools": tools, "store": False}


def _anthropic(scene: Scene) -> dict[str, Any]:
    messages: list[Any] = [{"role": "user", "content": "Weather?"}]
    for calls in scene.rounds:
        turn: list[Any] = []
        if scene.thought:
            turn.append({"type": "thinking", "thinking": scene.thought, "signature": "EqQB-own"})
        if scene.words:
            turn.append({"type": "text", "text": scene.words})
        turn += [
            {"type": "tool_use", "id": call.id, "name": call.name, "input": parse(call.arguments)} for call in calls
        ]
        messages.append({"role": "assistant", "content": turn})
        results: list[Any] = []
        for call in calls:
            shown: list[Any] = [{"type": "text", "text": call.result}] if call.result else []
            if call.picture:
                source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
                shown.append({"type": "image", "source": source})
            result = {"type": "tool_result", "tool_use_id": call.id, "content": shown}
            results.append(result | ({"is_error": True} if call.failed else {}))
        messages.append({"role": "user", "content": results})
    names = dict.fromkeys(call.name for call in scene.calls)
    tools = [{"name": name, "input_schema": {"type": "object"}} for name in names]
    return {"model": "m", "max_tokens": 1000, "messages": messages, "tools": tools}


def _gemini(scene: Scene) -> dict[str, Any]:
    contents: list[Any] = [{"role": "user", "parts": [{"text": "Weather?"}]}]
    for calls in scene.rounds:
        parts: list[Any] = [{"text": scene.thought, "thought": True}] if scene.thought else []
        parts += [{"text": scene.words}] if scene.words else []
        for number, call in enumerate(calls):
            made = {"functionCall": {"id": call.id, "name": call.name, "args": parse(call.arguments)}}
            parts.append(made if number else made | {"thoughtSignature": "b3du"})
        contents.append({"role": "model", "parts": parts})
        answers: list[Any] = []
        for call in calls:
            said = {"error" if call.failed else "output": call.result}
            answer: dict[str, Any] = {"id": call.id, "name": call.name, "response": said}
            if call.picture:
                answer["parts"] = [{"inlineData": {"mimeType": "image/png", "data": PICTURE}}]
            answers.append({"functionResponse": answer})
        contents.append({"role": "user", "parts": answers})
    names = dict.fromkeys(call.name for call in scene.calls)
    return {"contents": contents, "tools": [{"functionDeclarations": [{"name": name} for name in names]}]}


def _ollama(scene: Scene) -> dict[str, Any]:
    messages: list[Any] = [{"role": "user", "content": "Weather?"}]
    for calls in scene.rounds:
        made = [{"function": {"name": call.name, "arguments": parse(call.arguments)}} for call in calls]
        turn = {"role": "assistant", "content": scene.words, "tool_calls": made}
        messages.append(turn | ({"thinking": scene.thought} if scene.thought else {}))
        for call in calls:
            shown = {"role": "tool", "tool_name": call.name, "content": call.result}
            messages.append(shown | ({"images": [PICTURE]} if call.picture else {}))
    names = dict.fromkeys(call.name for call in scene.calls)
    tools = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in names]
    return {"model": "m", "messages": messages, "tools": tools, "stream": False}


# ---- as providers hear it --------------------------------------------------------------------------------------------


def heard_calls(provider: WireName, body: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """Name and arguments of every call, in order."""
    match provider:
        case "openai-chat":
            for message in body["messages"]:
                for call in message.get("tool_calls", ()):
                    yield call["function"]["name"], call["function"]["arguments"]
        case "openai-responses":
            for item in body["input"]:
                if item.get("type") == "function_call":
                    yield item["name"], item["arguments"]
        case "anthropic":
            for message in body["messages"]:
                for block in message["content"] if isinstance(message["content"], list) else ():
                    if block["type"] == "tool_use":
                        yield block["name"], block["input"]
        case "gemini":
            for content in body["contents"]:
                for part in content["parts"]:
                    if "functionCall" in part:
                        yield part["functionCall"]["name"], part["functionCall"]["args"]
        case "ollama":
            for message in body["messages"]:
                for call in message.get("tool_calls", ()):
                    yield call["function"]["name"], call["function"]["arguments"]


def expected_arguments(provider: WireName, text: str) -> object:
    """Text goes on word for word; where only objects can be said, what is none is wrapped."""
    if provider in STRINGS:
        return text or "{}"
    try:
        value = parse(text or "{}")
    except ValueError:
        return {"_raw_arguments": text}
    return value if isinstance(value, dict) else {"_value": value}


def translated(client: WireName, provider: WireName, scene: Scene) -> dict[str, Any]:
    path: dict[str, Any] = {"model": "m", "stream": False} if client == "gemini" else {}
    request = CODECS[client].read_request(parse(dump_bytes(spelled(client, scene))), **path)  # type: ignore[arg-type]
    model = SERVICES[provider][2]
    lowered = translate(replace(request, model=model), provider, model)
    return orjson.loads(dump_bytes(CODECS[provider].write_request(lowered.request, PLAIN).body))


def _excuse_lost_proofs(service: gemini.GeminiService, body: dict[str, Any]) -> None:
    """Nobody can have the proofs of calls that another provider made: the real service has a word for that."""
    for number, part in enumerate(part for content in body["contents"] for part in content["parts"]):
        if part.get("thoughtSignature") == SKIP:
            part["thoughtSignature"] = f"lost{number:04}"
            service.signed[f"lost{number:04}"] = {key: part[key] for key in part if key != "thoughtSignature"}


def same(told: object, expected: object) -> bool:
    """Clients that hold objects spell their JSON as they like."""
    if isinstance(told, str) and isinstance(expected, str) and told != expected:
        try:
            return parse(told) == parse(expected)
        except ValueError:
            return False
    return told == expected


@pytest.mark.parametrize(("client", "provider", "scene"), CASES)
def test_a_history_survives_the_way_to_a_strict_service(client: WireName, provider: WireName, scene: Scene) -> None:
    body = translated(client, provider, scene)
    kind, path, _ = SERVICES[provider]
    service = kind()
    if isinstance(service, gemini.GeminiService):
        _excuse_lost_proofs(service, body)
    service.respond(Asked("POST", path, KEYS, dump_bytes(body)))
    assert service.refusals == []

    told = list(heard_calls(provider, body))
    assert [name for name, _ in told] == [call.name for call in scene.calls]
    for (_, arguments), call in zip(told, scene.calls, strict=True):
        assert same(arguments, expected_arguments(provider, call.arguments))
    text = dump_bytes(body).decode()
    assert text.count(PICTURE) == sum(call.picture for call in scene.calls)
    assert not any(proof in text for proof in ("gAAAA-own", "EqQB-own", "b3du")), "a proof of another provider"
    if scene.words:
        assert text.count(dump_bytes(scene.words).decode()) == len(scene.rounds)


@pytest.mark.parametrize(("client", "provider", "scene"), CASES)
def test_every_result_is_told_once_with_the_id_of_its_call(client: WireName, provider: WireName, scene: Scene) -> None:
    body = translated(client, provider, scene)
    results = _results(provider, body)
    assert len({call_id for call_id, _ in results}) == len(results) == len(scene.calls)
    for (_, words), call in zip(results, scene.calls, strict=True):
        assert call.result in words
        if call.failed and client in ("anthropic", "gemini"):
            assert "rror" in words or provider == "anthropic"


def _results(provider: WireName, body: dict[str, Any]) -> list[tuple[str, str]]:
    """The id and the words of every result, in order."""
    match provider:
        case "openai-chat":
            found = [(m["tool_call_id"], m["content"]) for m in body["messages"] if m["role"] == "tool"]
        case "openai-responses":
            outputs = [item for item in body["input"] if item.get("type") == "function_call_output"]
            found = [(item["call_id"], item["output"]) for item in outputs]
        case "anthropic":
            lists = [m["content"] for m in body["messages"] if isinstance(m["content"], list)]
            blocks = [block for content in lists for block in content if block["type"] == "tool_result"]
            found = [(block["tool_use_id"], block.get("content", "")) for block in blocks]
        case "gemini":
            answers = [p["functionResponse"] for c in body["contents"] for p in c["parts"] if "functionResponse" in p]
            found = [(answer["id"], _gemini_words(answer["response"])) for answer in answers]
        case "ollama":
            found = [(m["tool_call_id"], m["content"]) for m in body["messages"] if m["role"] == "tool"]
    return [(call_id, _words(shown)) for call_id, shown in found]


def _gemini_words(response: dict[str, Any]) -> str:
    return f"Error: {response['error']}" if "error" in response else response["output"]


def _words(shown: Any) -> str:
    return shown if isinstance(shown, str) else "".join(part.get("text", "") for part in shown)
