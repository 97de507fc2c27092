"""Replies with everything that a provider of each wire can say in one, plain and streamed.

The same words in all of them, of which `CITED` rest on a page; what else there is, only its own wire has a word for.
"""

from typing import Any

import orjson

TEXT = "Zürich: 3 °C."
CITED = "3 °C"
START, END = TEXT.index(CITED), TEXT.index(CITED) + len(CITED)
URL, TITLE = "https://weather.example/zurich", "Weather in Zürich"
TOKENS = [("Zürich", -0.25, [90, 195, 188, 114, 105, 99, 104]), (": 3 °C.", -1.5, None)]
OTHER = ("Bern", -2.5)
PIXEL = "iVBORw0KGgo="
SOUND = "UklGRg=="
_BYTES = (len(TEXT[:START].encode()), len(TEXT[:END].encode()))

_LOGPROBS = [
    {
        "token": token,
        "logprob": chance,
        "bytes": given,
        "top_logprobs": [{"token": OTHER[0], "logprob": OTHER[1], "bytes": None}],
    }
    for token, chance, given in TOKENS
]
_PAGE = {"start_index": START, "end_index": END, "title": TITLE, "url": URL}

CHAT: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "service_tier": "priority",
    "system_fingerprint": "fp_1",
    "moderation": {"flagged": True},
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": {"content": _LOGPROBS, "refusal": None},
            "content_filter_results": {"hate": {"severity": "low"}},
            "message": {
                "role": "assistant",
                "content": TEXT,
                "refusal": None,
                "annotations": [{"type": "url_citation", "url_citation": _PAGE}],
                "audio": {"id": "audio_1", "data": SOUND, "expires_at": 2, "transcript": TEXT},
            },
        },
        {"index": 1, "finish_reason": "stop", "message": {"role": "assistant", "content": "Cold."}},
    ],
    "usage": {
        "prompt_tokens": 5,
        "completion_tokens": 7,
        "total_tokens": 12,
        "completion_tokens_details": {"audio_tokens": 2},
        "cost": 0.25,
    },
}

_HOSTED: list[dict[str, Any]] = [
    {"id": "ws_1", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "weather"}},
    {"id": "fs_1", "type": "file_search_call", "status": "completed", "queries": ["weather"], "results": None},
    {
        "id": "ci_1",
        "type": "code_interpreter_call",
        "status": "completed",
        "code": "1+2",
        "container_id": "c",
        "outputs": None,
    },
    {"id": "mcp_1", "type": "mcp_call", "name": "look", "arguments": "{}", "server_label": "s", "output": "3"},
]
_ANNOTATIONS: list[dict[str, Any]] = [
    {"type": "url_citation", **_PAGE},
    {"type": "file_citation", "file_id": "file_1", "filename": "notes.txt", "index": END},
]
_MESSAGE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "status": "completed",
    "role": "assistant",
    "phase": "commentary",
    "content": [{"type": "output_text", "text": TEXT, "annotations": _ANNOTATIONS, "logprobs": _LOGPROBS}],
}
_PICTURE = {"id": "ig_1", "type": "image_generation_call", "status": "completed", "result": PIXEL}

RESPONSES: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "status": "completed",
    "model": "m",
    "service_tier": "priority",
    "tool_usage": {"web_search": {"num_requests": 1}},
    "output": [*_HOSTED, _MESSAGE, _PICTURE],
    "usage": {"input_tokens": 5, "output_tokens": 7, "total_tokens": 12},
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}

_WEB = {
    "type": "web_search_result_location",
    "cited_text": "It is 3 °C in Zürich",
    "encrypted_index": "proof",
    "title": TITLE,
    "url": URL,
}
_DOCUMENT = {
    "type": "char_location",
    "cited_text": "3 degrees",
    "document_index": 0,
    "document_title": "notes.txt",
    "start_char_index": 0,
    "end_char_index": 9,
}

ANTHROPIC: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "weather"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
        {"type": "text", "text": TEXT[:START]},
        {"type": "text", "text": CITED, "citations": [_WEB, _DOCUMENT]},
        {"type": "text", "text": TEXT[END:]},
    ],
    "stop_reason": "stop_sequence",
    "stop_sequence": "END",
    "container": {"id": "container_1", "expires_at": "2027-01-01T00:00:00Z"},
    "usage": {
        "input_tokens": 5,
        "output_tokens": 7,
        "server_tool_use": {"web_search_requests": 1, "web_fetch_requests": 0},
        "service_tier": "priority",
        "inference_geo": "eu",
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
    },
}


def _logs(entries: list[tuple[str, float]]) -> list[dict[str, Any]]:
    return [{"token": token, "logProbability": chance} for token, chance in entries]


_RATINGS = [{"category": "HARM_CATEGORY_HARASSMENT", "probability": "MEDIUM"}]
_CANDIDATE: dict[str, Any] = {
    "index": 0,
    "finishReason": "STOP",
    "safetyRatings": _RATINGS,
    "avgLogprobs": -0.9,
    "logprobsResult": {
        "chosenCandidates": _logs([(token, chance) for token, chance, _ in TOKENS]),
        "topCandidates": [{"candidates": _logs([OTHER])}, {"candidates": _logs([OTHER])}],
    },
    "groundingMetadata": {
        "groundingChunks": [{"web": {"uri": URL, "title": TITLE}}],
        "groundingSupports": [
            {
                "segment": {"startIndex": _BYTES[0], "endIndex": _BYTES[1], "text": CITED},
                "groundingChunkIndices": [0],
                "confidenceScores": [0.9],
            }
        ],
        "webSearchQueries": ["weather zürich"],
        "searchEntryPoint": {"renderedContent": "<div></div>"},
    },
    "citationMetadata": {"citations": [{"startIndex": 0, "endIndex": 7, "uri": "https://b.example", "license": "MIT"}]},
    "urlContextMetadata": {"urlMetadata": [{"retrievedUrl": URL}]},
}
_CODE = {"executableCode": {"language": "PYTHON", "code": "1+2"}}
_RAN = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "3"}}
_SOUND = {"inlineData": {"mimeType": "audio/wav", "data": SOUND}}
_SHOWN = {"inlineData": {"mimeType": "image/png", "data": PIXEL}}

GEMINI: dict[str, Any] = {
    "candidates": [
        {**_CANDIDATE, "content": {"role": "model", "parts": [_CODE, _RAN, _SOUND, _SHOWN, {"text": TEXT}]}},
        {"index": 1, "finishReason": "STOP", "content": {"role": "model", "parts": [{"text": "Cold."}]}},
    ],
    "promptFeedback": {"safetyRatings": _RATINGS},
    "usageMetadata": {
        "promptTokenCount": 5,
        "candidatesTokenCount": 7,
        "totalTokenCount": 12,
        "trafficType": "PROVISIONED_THROUGHPUT",
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 5}],
    },
    "modelVersion": "m",
    "responseId": "resp_1",
}

PLAIN: dict[str, dict[str, Any]] = {
    "openai-chat": CHAT,
    "openai-responses": RESPONSES,
    "anthropic": ANTHROPIC,
    "gemini": GEMINI,
}


def _events(*events: dict[str, Any], named: bool = True) -> bytes:
    lines = []
    for event in events:
        name = b"event: " + event["type"].encode() + b"\n" if named else b""
        lines.append(name + b"data: " + orjson.dumps(event) + b"\n\n")
    return b"".join(lines)


def chat_stream() -> bytes:
    head = {key: CHAT[key] for key in ("id", "created", "model", "service_tier", "system_fingerprint", "moderation")}
    head |= {"object": "chat.completion.chunk", "obfuscation": "x"}
    first, second = CHAT["choices"]

    def chunk(index: int, delta: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {**head, "choices": [{"index": index, "delta": delta, "finish_reason": None, **more}]}

    half = len(TOKENS[0][0])
    logs = first["logprobs"]["content"]
    message = first["message"]
    chunks = [
        chunk(0, {"role": "assistant", "content": ""}),
        chunk(0, {"content": TEXT[:half]}, logprobs={"content": logs[:1], "refusal": None}),
        chunk(0, {"content": TEXT[half:]}, logprobs={"content": logs[1:], "refusal": None}),
        chunk(0, {"annotations": message["annotations"]}),
        chunk(0, {"audio": message["audio"]}),
        chunk(1, {"role": "assistant", "content": second["message"]["content"]}),
        chunk(0, {}, finish_reason="stop", content_filter_results=first["content_filter_results"]),
        chunk(1, {}, finish_reason="stop"),
        {**head, "choices": [], "usage": CHAT["usage"]},
    ]
    return _events(*chunks, named=False) + b"data: [DONE]\n\n"


def responses_stream() -> bytes:
    begun = {**RESPONSES, "status": "in_progress", "output": [], "usage": None}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for place, item in enumerate(RESPONSES["output"]):
        at = {"output_index": place, "item_id": item["id"]}
        opened = {**item, "status": "in_progress", **({"content": []} if item is _MESSAGE else {})}
        events.append({"type": "response.output_item.added", "output_index": place, "item": opened})
        if item is _MESSAGE:
            events += _spoken({**at, "content_index": 0}, item["content"][0])
        events.append({"type": "response.output_item.done", "output_index": place, "item": item})
    events.append({"type": "response.completed", "response": RESPONSES})
    return _events(*({"sequence_number": number, **event} for number, event in enumerate(events)))


def _spoken(at: dict[str, Any], part: dict[str, Any]) -> list[dict[str, Any]]:
    half = len(TOKENS[0][0])
    text, logs = part["text"], part["logprobs"]
    empty = {**part, "text": "", "annotations": [], "logprobs": []}
    return [
        {"type": "response.content_part.added", **at, "part": empty},
        {"type": "response.output_text.delta", **at, "delta": text[:half], "logprobs": logs[:1]},
        {"type": "response.output_text.delta", **at, "delta": text[half:], "logprobs": logs[1:]},
        *(
            {"type": "response.output_text.annotation.added", **at, "annotation_index": index, "annotation": one}
            for index, one in enumerate(part["annotations"])
        ),
        {"type": "response.output_text.done", **at, "text": text, "logprobs": logs},
        {"type": "response.content_part.done", **at, "part": part},
    ]


def anthropic_stream() -> bytes:
    begun = {**ANTHROPIC, "content": [], "stop_reason": None, "stop_sequence": None, "container": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for index, block in enumerate(ANTHROPIC["content"]):
        opened = {**block, **({"text": "", "citations": []} if block["type"] == "text" else {})}
        events.append({"type": "content_block_start", "index": index, "content_block": opened})
        deltas = [{"type": "citations_delta", "citation": one} for one in block.get("citations", ())]
        if block["type"] == "text":
            deltas.append({"type": "text_delta", "text": block["text"]})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    ended = {key: ANTHROPIC[key] for key in ("stop_reason", "stop_sequence", "container")}
    events.append({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 7}})
    return _events(*events, {"type": "message_stop"})


def gemini_stream() -> bytes:
    rest = {key: GEMINI[key] for key in ("modelVersion", "responseId")}
    half = len(TOKENS[0][0])

    def chunk(parts: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        return {"candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, **more}], **rest}

    last = {key: value for key, value in _CANDIDATE.items() if key != "index"}
    logs = last.pop("logprobsResult")
    return _events(
        {**chunk([_CODE, _RAN, _SOUND, _SHOWN]), "promptFeedback": GEMINI["promptFeedback"]},
        chunk([{"text": TEXT[:half]}]),
        chunk([{"text": TEXT[half:]}], logprobsResult=logs),
        {"candidates": [GEMINI["candidates"][1]], **rest},
        {**chunk([{"text": ""}], **last), "usageMetadata": GEMINI["usageMetadata"]},
        named=False,
    )


STREAMED: dict[str, bytes] = {
    "openai-chat": chat_stream(),
    "openai-responses": responses_stream(),
    "anthropic": anthropic_stream(),
    "gemini": gemini_stream(),
}
