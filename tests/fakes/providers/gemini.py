"""Gemini as `generativelanguage.googleapis.com` serves it to a new and to an older model."""

import base64
import re
from typing import Any

import orjson
from tests.fakes.providers import scene
from tests.fakes.providers.gemini_contents import camel, check_contents, check_tools, joined
from tests.fakes.providers.service import Asked, Reply, Service, Told, whole
from tests.fakes.providers.shape import fields, insist

MODEL = "gemini-3-pro-preview"
OLDER_MODEL = "gemini-2.5-pro"
"""Knows no ids of calls, thinks within a budget, and does not miss its signatures."""

_PATH = re.compile(r"/v1(?:beta)?/models/([^/:]+):(generateContent|streamGenerateContent)(\?alt=sse)?")
_TOP = (
    "cachedContent",
    "generationConfig",
    "safetySettings",
    "systemInstruction",
    "toolConfig",
    "tools",
    "serviceTier",
)
_GENERATION = [
    "candidateCount",
    "enableEnhancedCivicAnswers",
    "frequencyPenalty",
    "logprobs",
    "maxOutputTokens",
    "mediaResolution",
    "presencePenalty",
    "responseFormat",
    "responseJsonSchema",
    "responseLogprobs",
    "responseMimeType",
    "responseModalities",
    "responseSchema",
    "seed",
    "speechConfig",
    "stopSequences",
    "temperature",
    "thinkingConfig",
    "topK",
    "topP",
]


class GeminiService(Service):
    wire = "gemini"

    def __init__(self) -> None:
        super().__init__()
        self.signed: dict[str, Any] = {}
        """Signature → the part that it stood on, without it."""
        self.joins_turns = False
        """True: neighbouring contents of one role are one turn, as the real service takes them from chats that keep a
        content for each chunk. Nothing that Callgate writes itself may need that."""

    def check(self, asked: Asked) -> None:
        found = _PATH.fullmatch(asked.path)
        insist(found, f"Not found: {asked.path}")
        streams = found is not None and found.group(2) == "streamGenerateContent"
        insist(bool(found and found.group(3)) == streams, f"{asked.path}: alt=sse belongs to streams")
        insist(asked.headers.get("x-goog-api-key"), "Method doesn't allow unregistered callers")
        body = fields(camel(asked.body), "body", ["contents"], _TOP)
        generation = fields(camel(body.get("generationConfig", {})), "generationConfig", [], _GENERATION)
        thinking = fields(
            camel(generation.get("thinkingConfig", {})),
            "thinkingConfig",
            [],
            ["includeThoughts", "thinkingBudget", "thinkingLevel"],
        )
        both = "thinkingBudget" in thinking and "thinkingLevel" in thinking
        insist(not both, "You can only set only one of thinking budget and thinking level.")
        older = self.older(asked)
        unknown = "thinkingLevel" if older else ""
        insist(unknown not in thinking, f"{unknown} is not supported by this model")
        declared = check_tools(body.get("tools", []), body.get("toolConfig"))
        contents = joined(body["contents"]) if self.joins_turns else body["contents"]
        check_contents(contents, self.signed, declared, older=older)

    def refusal(self, message: str) -> Reply:
        return whole({"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}, 400)

    # ---- answering -------------------------------------------------------------------------------------------------

    def answer(self, asked: Asked) -> Reply:
        if asked.method == "GET":
            return whole({"models": [{"name": f"models/{MODEL}", "version": "3", "displayName": "Gemini 3"}]})
        body = camel(asked.body)
        last = [camel(part) for part in body["contents"][-1]["parts"]]
        if any("functionResponse" in part for part in last):
            return self.reply(asked, self.signing([{"text": scene.FINAL}], 0))
        if scene.THANKS in str(last):
            return self.reply(asked, [{"text": scene.WELCOME}])
        number = self.number()
        weather = {"name": scene.WEATHER, "args": scene.WEATHER_ARGUMENTS}
        note = {"name": scene.NOTE, "args": scene.NOTE_ARGUMENTS}
        if not self.older(asked):
            weather, note = weather | {"id": f"w{number:07}"}, note | {"id": f"n{number:07}"}
        thinking = camel(camel(body.get("generationConfig", {})).get("thinkingConfig", {}))
        parts: list[dict[str, Any]] = (
            [{"text": scene.THINKING, "thought": True}] if thinking.get("includeThoughts") else []
        )
        parts += [{"text": scene.OPENING}, {"functionCall": weather}, {"functionCall": note}]
        return self.reply(asked, self.signing(parts, len(parts) - 2))

    def told(self, body: dict[str, Any]) -> Told:
        parts = [camel(part) for content in body["contents"] for part in content["parts"]]
        calls = [part["functionCall"] for part in parts if "functionCall" in part]
        results = [part["functionResponse"] for part in parts if "functionResponse" in part]
        return Told(
            [(call.get("id", ""), call["name"], call["args"]) for call in calls],
            {
                result.get("id", result["name"]): result["response"].get("output", result["response"].get("error"))
                for result in results
            },
            [
                part["thoughtSignature"].replace("-", "+").replace("_", "/")
                for part in parts
                if "thoughtSignature" in part
            ],
        )

    def older(self, asked: Asked) -> bool:
        return f"/{OLDER_MODEL}:" in asked.path

    def signing(self, parts: list[dict[str, Any]], index: int) -> list[dict[str, Any]]:
        """The parts, one of them with a signature that is remembered."""
        signature = base64.b64encode(b"\x12\xff" + f"thought {self.number()}".encode()).decode()
        self.signed[signature] = parts[index]
        return [part | {"thoughtSignature": signature} if place == index else part for place, part in enumerate(parts)]

    def reply(self, asked: Asked, parts: list[dict[str, Any]]) -> Reply:
        return self.reply_to(parts, stream="streamGenerateContent" in asked.path)

    def reply_to(self, parts: list[dict[str, Any]], *, stream: bool, finish: str = "STOP") -> Reply:
        head = {"modelVersion": MODEL, "responseId": f"r{self.number():010}"}
        if not stream:
            candidate = {"content": {"parts": parts, "role": "model"}, "finishReason": finish, "index": 0}
            return whole({"candidates": [candidate], "usageMetadata": USAGE, **head})
        pieces: list[dict[str, Any]] = []
        for part in parts:
            cut = "text" in part and "thoughtSignature" not in part
            pieces += [part | {"text": piece} for piece in scene.fragments(part["text"], 20)] if cut else [part]
        chunks = [_chunk({"parts": [piece], "role": "model"}, PARTIAL_USAGE, None) for piece in pieces]
        chunks.append(_chunk({"parts": [{"text": ""}], "role": "model"}, USAGE, finish))
        return Reply(b"".join(b"data: " + orjson.dumps(chunk | head) + b"\r\n\r\n" for chunk in chunks))


PARTIAL_USAGE = {
    "promptTokenCount": scene.INPUT,
    "totalTokenCount": scene.INPUT + scene.REASONED,
    "promptTokensDetails": [{"modality": "TEXT", "tokenCount": scene.INPUT}],
    "thoughtsTokenCount": scene.REASONED,
}
USAGE = PARTIAL_USAGE | {
    "candidatesTokenCount": scene.OUTPUT - scene.REASONED,
    "totalTokenCount": scene.INPUT + scene.OUTPUT,
    "cachedContentTokenCount": scene.CACHED,
    "cacheTokensDetails": [{"modality": "TEXT", "tokenCount": scene.CACHED}],
}


def _chunk(content: dict[str, Any], usage: dict[str, Any], finish: str | None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": content}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate | {"index": 0}], "usageMetadata": usage}
