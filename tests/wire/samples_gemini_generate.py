"""Bodies and streams of Gemini as real clients and the provider send them; bodies in the wire's normal form."""

import json

from callgate.core.messages import Json
from callgate.wire.gemini_generate import GeminiGenerate

CODEC = GeminiGenerate()

WEATHER: dict[str, Json] = {
    "name": "get_weather",
    "description": "The weather in a city.",
    "parametersJsonSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
TIME: dict[str, Json] = {"name": "get_time"}
OPENAPI: dict[str, Json] = {
    "name": "search.files:v2",
    "parameters": {
        "type": "OBJECT",
        "properties": {
            "query": {"type": "STRING", "nullable": True},
            "limit": {"type": "INTEGER", "format": "int32"},
            "kinds": {"type": "ARRAY", "items": {"type": "STRING", "enum": ["a", "b"]}, "minItems": "1"},
        },
        "required": ["query"],
        "propertyOrdering": ["query", "limit", "kinds"],
    },
    "behavior": "BLOCKING",
}


def user(*parts: Json) -> dict[str, Json]:
    return {"role": "user", "parts": list(parts)}


def model(*parts: Json) -> dict[str, Json]:
    return {"role": "model", "parts": list(parts)}


PLAIN: dict[str, Json] = {"contents": [user({"text": "Hello, wörld 🌍"})]}

TOOL_LOOP: dict[str, Json] = {
    "systemInstruction": {"parts": [{"text": "Be brief."}, {"text": "Be kind."}], "role": "user"},
    "contents": [
        user({"text": "Weather in Paris and Rome?"}),
        model(
            {"text": "Two cities.", "thought": True},
            {"text": "Let me look."},
            {
                "functionCall": {"id": "fc_1", "name": "get_weather", "args": {"city": "Paris"}},
                "thoughtSignature": "c2lnLWE=",
            },
            {"functionCall": {"id": "fc_2", "name": "get_weather", "args": {"city": "Rome"}}},
        ),
        user(
            {"functionResponse": {"id": "fc_1", "name": "get_weather", "response": {"output": "sunny"}}},
            {
                "functionResponse": {
                    "id": "fc_2",
                    "name": "get_weather",
                    "response": {"error": "no such city"},
                    "parts": [{"inlineData": {"mimeType": "image/png", "data": "iVBORw0="}}],
                }
            },
            {"text": "And tomorrow?"},
        ),
    ],
    "tools": [{"functionDeclarations": [WEATHER, TIME, OPENAPI]}, {"googleSearch": {}}],
    "toolConfig": {
        "functionCallingConfig": {"mode": "VALIDATED"},
        "retrievalConfig": {"languageCode": "de"},
    },
    "generationConfig": {
        "maxOutputTokens": 4096,
        "temperature": 0.5,
        "topP": 0.9,
        "topK": 40,
        "stopSequences": ["END"],
        "seed": 7,
        "candidateCount": 1,
        "presencePenalty": 0.1,
        "frequencyPenalty": 0.2,
        "thinkingConfig": {"thinkingLevel": "LOW", "includeThoughts": True},
        "responseModalities": ["TEXT"],
    },
    "safetySettings": [{"category": "HARM_CATEGORY_HATE_SPEECH", "threshold": "BLOCK_NONE"}],
    "cachedContent": "cachedContents/abc",
    "labels": {"team": "a_b"},
}

WITHOUT_IDS: dict[str, Json] = {
    "contents": [
        user({"text": "What time is it, twice?"}),
        model(
            {"functionCall": {"name": "get_time", "args": {}}, "thoughtSignature": "c2lnLWI="},
            {"functionCall": {"name": "get_time", "args": {}}},
        ),
        user(
            {"functionResponse": {"name": "get_time", "response": {"result": {"time": "12:00"}}}},
            {"functionResponse": {"name": "get_time", "response": {"time": "12:01", "zone": None}}},
        ),
    ],
    "tools": [{"functionDeclarations": [TIME]}],
    "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["get_time"]}},
}

MEDIA: dict[str, Json] = {
    "contents": [
        user(
            {"inlineData": {"mimeType": "image/png", "data": "iVBORw0=", "displayName": "a.png"}},
            {"inlineData": {"mimeType": "application/pdf", "data": "JVBERi0="}, "mediaResolution": {"level": "LOW"}},
            {
                "fileData": {"mimeType": "video/mp4", "fileUri": "https://files.example/v1beta/files/x"},
                "videoMetadata": {"fps": 2},
            },
            {"fileData": {"fileUri": "gs://bucket/a.txt"}},
            {"text": "Compute."},
        ),
        model(
            {"executableCode": {"language": "PYTHON", "code": "print(1)"}, "thoughtSignature": "c2lnLWM="},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1\n"}},
            {"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["x"]}, "id": "t1"}},
            {"text": "It is 1.", "thoughtSignature": "c2lnLWQ="},
        ),
        user({"text": "Thanks"}),
    ],
    "tools": [{"codeExecution": {}}, {"urlContext": {}}],
}

FORMATTED: dict[str, Json] = {
    **PLAIN,
    "generationConfig": {
        "responseMimeType": "application/json",
        "responseJsonSchema": {"type": "OBJECT", "properties": {"model_choice": {"type": "STRING"}}},
        "thinkingConfig": {"thinkingBudget": 0},
    },
}

ARRAY_ANSWER: dict[str, Json] = {
    **PLAIN,
    "generationConfig": {
        "responseMimeType": "application/json",
        "responseSchema": {"type": "ARRAY", "items": {"type": "STRING"}},
    },
}

REQUESTS: list[dict[str, Json]] = [PLAIN, TOOL_LOOP, WITHOUT_IDS, MEDIA, FORMATTED, ARRAY_ANSWER]

USAGE: dict[str, Json] = {
    "promptTokenCount": 120,
    "candidatesTokenCount": 30,
    "thoughtsTokenCount": 12,
    "cachedContentTokenCount": 100,
    "totalTokenCount": 162,
    "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 120}],
}
EARLY_USAGE: dict[str, Json] = {"promptTokenCount": 120, "totalTokenCount": 120}


def candidate(*parts: Json, finish: str = "", index: int = 0, **more: Json) -> dict[str, Json]:
    ended: dict[str, Json] = {"finishReason": finish} if finish else {}
    return {"content": {"parts": list(parts), "role": "model"}, **ended, "index": index, **more}


def reply(*candidates: Json, usage: Json = USAGE, **more: Json) -> dict[str, Json]:
    return {
        "candidates": list(candidates),
        "usageMetadata": usage,
        "modelVersion": "gemini-3-pro-preview",
        "responseId": "mHkZabc",
        **more,
    }


def chunk(*candidates: Json, usage: Json = EARLY_USAGE, **more: Json) -> bytes:
    """One event as the provider writes it."""
    return f"data: {json.dumps(reply(*candidates, usage=usage, **more), ensure_ascii=False)}\r\n\r\n".encode()


def call(name: str, args: Json = None, id: str = "", signature: str = "") -> dict[str, Json]:
    inner: dict[str, Json] = {"name": name}
    inner |= {"args": args} if args is not None else {}
    inner |= {"id": id} if id else {}
    return {"functionCall": inner, **({"thoughtSignature": signature} if signature else {})}


PARIS = call("get_weather", {"city": "Zürich – 🌦"}, "fc_1", "c2lnLWE=")
TWIN = call("get_weather", {"city": "Zürich – 🌦"}, "fc_2")
NOW = call("get_time", id="fc_3")

RESPONSES: list[dict[str, Json]] = [
    reply(candidate({"text": "Hello"}, finish="STOP")),
    reply(
        candidate(
            {"text": "Two cities – both.", "thought": True}, {"text": "Moment… 🌦"}, PARIS, TWIN, NOW, finish="STOP"
        )
    ),
    reply(candidate(call("get_time", {}), call("get_time", {}), finish="STOP")),
    reply(candidate({"text": "cut"}, finish="MAX_TOKENS")),
    reply(candidate({"text": "Well"}, finish="SAFETY", finishMessage="hurtful", safetyRatings=[{"blocked": True}])),
    reply(promptFeedback={"blockReason": "PROHIBITED_CONTENT"}),
    reply(candidate({"text": "It is 1."}, {"text": "", "thoughtSignature": "c2lnLWQ="}, finish="STOP")),
    reply(candidate({"text": "a"}, finish="STOP"), candidate(PARIS, finish="STOP", index=1)),
    reply(
        candidate(
            {"executableCode": {"language": "PYTHON", "code": "print(1)"}},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
            {"text": "Done."},
            finish="STOP",
            groundingMetadata={"webSearchQueries": ["x"]},
        )
    ),
    reply(candidate({"text": "hm", "thought": True, "thoughtSignature": "c2lnLWU="}, {"text": "Yes."}, finish="STOP")),
    reply(candidate(finish="STOP"), usage={"promptTokenCount": 5, "totalTokenCount": 5}),
]

STREAMS: list[bytes] = [
    chunk(candidate({"text": "Hel"})) + chunk(candidate({"text": "lo"})) + chunk(candidate(finish="STOP"), usage=USAGE),
    chunk(candidate({"text": "Two cities ", "thought": True}))
    + chunk(candidate({"text": "– both.", "thought": True}))
    + chunk(candidate({"text": "Moment… 🌦"}))
    + chunk(candidate(PARIS))
    + chunk(candidate(TWIN))
    + chunk(candidate(NOW))
    + chunk(candidate({"text": ""}, finish="STOP"), usage=USAGE),
    chunk(candidate(call("get_time", {}), call("get_time", {}), finish="STOP"), usage=USAGE),
    chunk(candidate({"text": "cut"}, finish="MAX_TOKENS"), usage=USAGE),
    chunk(candidate({"text": "Well"}))
    + chunk(candidate(finish="SAFETY", finishMessage="hurtful", safetyRatings=[{"blocked": True}]), usage=USAGE),
    chunk(usage=USAGE, promptFeedback={"blockReason": "PROHIBITED_CONTENT"}),
    chunk(candidate({"text": "It is 1."}))
    + chunk(candidate({"text": "", "thoughtSignature": "c2lnLWQ="}, finish="STOP"), usage=USAGE),
    chunk(candidate({"text": "a"}))
    + chunk(candidate(PARIS, index=1))
    + chunk(candidate(finish="STOP"), candidate(finish="STOP", index=1), usage=USAGE),
    chunk(candidate({"executableCode": {"language": "PYTHON", "code": "print(1)"}}))
    + chunk(candidate({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}))
    + chunk(
        candidate({"text": "Done."}, finish="STOP", groundingMetadata={"webSearchQueries": ["x"]}),
        usage=USAGE,
    ),
    chunk(candidate({"text": "hm", "thought": True}))
    + b"\n"
    + chunk(candidate({"text": "", "thought": True, "thoughtSignature": "c2lnLWU="}))
    + chunk(candidate({"text": "Yes."}, finish="STOP"), usage=USAGE),
    chunk(candidate(finish="STOP"), usage={"promptTokenCount": 5, "totalTokenCount": 5}),
]
