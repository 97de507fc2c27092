"""Between two wires nothing of a reply is lost in silence: the client's own package has it, or a warning names it.

Every provider says all that it can say in one reply; every official package hears it, plain and streamed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anthropic
import httpx
import openai
import orjson
import pytest
from google import genai
from tests.fakes.providers.recorder import Recorder
from tests.fakes.providers.service import Reply, serving, whole
from tests.fakes.rich_replies import CITED, OTHER, PIXEL, PLAIN, STREAMED, TEXT, TITLE, TOKENS, URL
from tests.fakes.translating import MODELS, WIRES, Stage

from callgate.core.events import ExchangeEnded

PAIRS = [(client, provider) for client in WIRES for provider in WIRES if client != provider]
HEADER = "x-callgate-warnings"
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "openai-chat": ("/v1/chat/completions", {"messages": [{"role": "user", "content": "hi"}]}),
    "openai-responses": ("/v1/responses", {"input": "hi"}),
    "anthropic": ("/v1/messages", {"max_tokens": 99, "messages": [{"role": "user", "content": "hi"}]}),
    "gemini": ("", {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}),
}
SAID: dict[str, dict[str, str]] = {
    "openai-chat": {
        "text": "",
        "logprobs": "logprobs",
        "citation": "citations",
        "audio": "choices.message.audio",
        "choices": "choices,",
        "tier": "service_tier",
        "moderation": "moderation",
        "filter": "choices.content_filter_results",
        "cost": "usage.cost",
    },
    "openai-responses": {
        "text": "",
        "logprobs": "logprobs",
        "citation": "citations",
        "document": "citations of documents",
        "picture": "image",
        "search": "web_search_call",
        "files": "file_search_call",
        "code": "code_interpreter_call",
        "mcp": "mcp_call",
        "tier": "service_tier",
        "phase": "output.message.phase",
        "tool usage": "tool_usage",
    },
    "anthropic": {
        "text": "",
        "citation": "citations",
        "document": "citations of documents",
        "quote": "citations' quotes",
        "search": "server_tool_use",
        "results": "web_search_tool_result",
        "stop sequence": "stop_sequence",
        "container": "container",
        "searches": "usage.server_tool_use",
        "tier": "usage.service_tier",
    },
    "gemini": {
        "text": "",
        "logprobs": "logprobs",
        "citation": "citations",
        "picture": "image",
        "audio": "audio",
        "choices": "choices",
        "code": "executableCode",
        "output": "codeExecutionResult",
        "ratings": "candidates.safetyRatings",
        "feedback": "promptFeedback.safetyRatings",
        "pages": "candidates.urlContextMetadata",
        "queries": "webSearchQueries",
        "entry": "searchEntryPoint",
        "confidence": "confidenceScores",
        "licence": "candidates.citationMetadata.license",
        "tier": "usageMetadata.trafficType",
    },
}
"""What each provider says, and how a warning names it where the client has it not."""
CARRIED: dict[str, tuple[str, ...]] = {
    "text": WIRES,
    "citation": WIRES,
    "logprobs": ("openai-chat", "openai-responses", "gemini"),
    "picture": ("openai-responses", "gemini"),
    "choices": ("openai-chat", "gemini"),
    "document": ("gemini",),
}
"""Clients whose wire has a word for it; all else must be named."""


@dataclass
class Told:
    """What an application finds in the objects of its package."""

    text: str
    cited: tuple[str, ...]
    """The words that rest on the page."""
    tokens: tuple[tuple[str, float, str], ...]
    """Each with its chance, and what else it could have been."""
    features: frozenset[str]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    services = {wire: Recorder(wire) for wire in WIRES}
    folder: Path = tmp_path_factory.mktemp("rich")
    with serving(*services.values()):
        opened = Stage(folder, services)
        with opened.open():
            yield opened
        opened.close()


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize(("client", "provider"), PAIRS)
def test_every_part_of_a_reply_is_told_or_named(played: Stage, client: str, provider: str, stream: bool) -> None:
    rich(played, provider, stream)
    warnings = raw_warnings(played, client, provider, stream)
    unheard = [event.unheard for event in played.runtime.events if isinstance(event, ExchangeEnded)]
    rich(played, provider, stream)
    told = HEARD[client](played.address, MODELS[provider], stream)

    assert told.text == TEXT
    for feature, name in SAID[provider].items():
        if client in CARRIED.get(feature, ()):
            assert feature in told.features, f"{client} has a word for {feature}"
        else:
            assert name in warnings, f"{feature} was lost in silence: {warnings}"
    assert unheard[-1] == (warnings,), "the window and the journal are told the same"
    places_told = client != "anthropic" or not stream or provider == "anthropic"
    assert CITED in told.cited if places_told else told.cited
    assert places_told or "citations' places" in warnings
    if "logprobs" in told.features:
        assert told.tokens == tuple((token, chance, OTHER[0]) for token, chance, _ in TOKENS)


@pytest.mark.parametrize("wire", WIRES)
def test_a_client_of_the_providers_own_wire_gets_every_byte_and_no_warning(played: Stage, wire: str) -> None:
    for stream in (False, True):
        rich(played, wire, stream)
        answer = raw(played, wire, wire, stream)
        assert answer.content == (STREAMED[wire] if stream else orjson.dumps(PLAIN[wire]))
        assert HEADER not in answer.headers


def rich(played: Stage, provider: str, stream: bool) -> None:
    reply = Reply(STREAMED[provider]) if stream else whole(PLAIN[provider])
    played.services[provider].next[:] = [reply]


def raw(played: Stage, client: str, provider: str, stream: bool) -> httpx.Response:
    path, body = ASKED[client]
    if client == "gemini":
        path = f"/v1beta/models/{MODELS[provider]}:{'streamGenerateContent?alt=sse' if stream else 'generateContent'}"
    else:
        body = {**body, "model": MODELS[provider], "stream": stream}
    answer = httpx.post(played.address + path, json=body, timeout=10)
    assert answer.status_code == 200, answer.text
    return answer


def raw_warnings(played: Stage, client: str, provider: str, stream: bool) -> str:
    """In the header; of a stream, whose header is gone by then, at its end."""
    answer = raw(played, client, provider, stream)
    if not stream:
        return answer.headers[HEADER]
    assert HEADER not in answer.headers
    events = answer.text.strip().split("\n\n")
    if client == "gemini":
        return orjson.loads(events[-1].removeprefix("data: "))["callgateWarnings"]
    (told,) = [event for event in events if event.startswith(f": {HEADER}: ")]
    assert events.index(told) < len(events) - 1, "clients read no further than the end"
    return told.removeprefix(f": {HEADER}: ")


def _features(**found: object) -> frozenset[str]:
    return frozenset(name for name, value in found.items() if value)


def hear_chat(address: str, model: str, stream: bool) -> Told:
    asked: dict[str, Any] = {"model": model, "messages": [{"role": "user", "content": "hi"}]}
    with openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0, timeout=10) as sdk:
        if stream:
            with sdk.chat.completions.stream(**asked) as events:
                completion: Any = events.get_final_completion()
        else:
            completion = sdk.chat.completions.create(**asked)
    first = completion.choices[0]
    pages = [one.url_citation for one in first.message.annotations or ()]
    tokens = first.logprobs.content if first.logprobs else []
    text = first.message.content
    cited = tuple(text[page.start_index : page.end_index] for page in pages if (page.url, page.title) == (URL, TITLE))
    weighed = tuple((token.token, token.logprob, token.top_logprobs[0].token) for token in tokens)
    return Told(
        text,
        cited,
        weighed,
        _features(text=text, citation=cited, logprobs=weighed, choices=len(completion.choices) == 2),
    )


def hear_responses(address: str, model: str, stream: bool) -> Told:
    with openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0, timeout=10) as sdk:
        if stream:
            with sdk.responses.stream(model=model, input="hi") as events:
                response: Any = events.get_final_response()
        else:
            response = sdk.responses.create(model=model, input="hi")
    parts = [part for item in response.output if item.type == "message" for part in item.content]
    cited = tuple(
        part.text[one.start_index : one.end_index]
        for part in parts
        for one in part.annotations
        if one.type == "url_citation" and (one.url, one.title) == (URL, TITLE)
    )
    weighed = tuple((one.token, one.logprob, one.top_logprobs[0].token) for part in parts for one in part.logprobs)
    pictures = [item for item in response.output if item.type == "image_generation_call" and item.result == PIXEL]
    found = _features(text=response.output_text, citation=cited, logprobs=weighed, picture=pictures)
    return Told(response.output_text, cited, weighed, found)


def hear_messages(address: str, model: str, stream: bool) -> Told:
    asked: dict[str, Any] = {"model": model, "max_tokens": 99, "messages": [{"role": "user", "content": "hi"}]}
    with anthropic.Anthropic(base_url=address, api_key="k", max_retries=0, timeout=10) as sdk:
        if stream:
            with sdk.messages.stream(**asked) as events:
                message: Any = events.get_final_message()
        else:
            message = sdk.messages.create(**asked)
    blocks = [block for block in message.content if block.type == "text" and not block.text.startswith("[")]
    cited = tuple(
        block.text
        for block in blocks
        for one in block.citations or ()
        if one.type == "web_search_result_location" and (one.url, one.title) == (URL, TITLE)
    )
    text = "".join(block.text for block in blocks)
    return Told(text, cited, (), _features(text=text, citation=cited))


def hear_gemini(address: str, model: str, stream: bool) -> Told:
    with genai.Client(api_key="k", http_options={"base_url": address, "api_version": "v1beta"}) as sdk:
        if stream:
            chunks: list[Any] = list(sdk.models.generate_content_stream(model=model, contents="hi"))
        else:
            chunks = [sdk.models.generate_content(model=model, contents="hi")]
    candidates = [one for chunk in chunks for one in chunk.candidates]
    first = [one for one in candidates if one.index == 0]
    parts = [part for one in first for part in one.content.parts]
    text = "".join(part.text or "" for part in parts)
    grounding = next((one.grounding_metadata for one in first if one.grounding_metadata), None)
    cited: list[str] = []
    documents: list[str] = []
    for chunk in grounding.grounding_chunks if grounding else ():
        documents += [chunk.retrieved_context.title] if chunk.retrieved_context else []
    for support in grounding.grounding_supports if grounding else ():
        chunk, segment = grounding.grounding_chunks[support.grounding_chunk_indices[0]], support.segment
        said = text if stream else parts[segment.part_index or 0].text
        words = said.encode()[segment.start_index or 0 : segment.end_index].decode()
        assert words == segment.text
        cited += [words] if chunk.web and (chunk.web.uri, chunk.web.title) == (URL, TITLE) else []
    chances = next((one.logprobs_result for one in first if one.logprobs_result), None)
    weighed = (
        tuple(
            (one.token, one.log_probability, beside.candidates[0].token)
            for one, beside in zip(chances.chosen_candidates, chances.top_candidates, strict=True)
        )
        if chances
        else ()
    )
    pictures = [part for part in parts if part.inline_data and part.inline_data.mime_type == "image/png"]
    several = any(one.index == 1 for one in candidates)
    found = _features(
        text=text, citation=cited, logprobs=weighed, picture=pictures, choices=several, document=documents
    )
    return Told(text, tuple(cited), weighed, found)


HEARD: dict[str, Callable[[str, str, bool], Told]] = {
    "openai-chat": hear_chat,
    "openai-responses": hear_responses,
    "anthropic": hear_messages,
    "gemini": hear_gemini,
}


def test_what_another_provider_cited_is_not_sent_to_anthropic_as_its_own(played: Stage) -> None:
    """A conversation that turns from one provider to another takes along what the first has cited."""
    with anthropic.Anthropic(base_url=played.address, api_key="k", max_retries=0, timeout=10) as sdk:
        said: list[Any] = [{"role": "user", "content": "hi"}]
        rich(played, "openai-responses", stream=False)
        first = sdk.messages.create(model=MODELS["openai-responses"], max_tokens=99, messages=said)
        said += [{"role": "assistant", "content": first.content}, {"role": "user", "content": "and Bern?"}]
        rich(played, "anthropic", stream=False)
        played.services["anthropic"].asked.clear()
        second = sdk.messages.create(model=MODELS["anthropic"], max_tokens=99, messages=said)
        rich(played, "anthropic", stream=False)
        said += [{"role": "assistant", "content": second.content}, {"role": "user", "content": "and Basel?"}]
        sdk.messages.create(model=MODELS["anthropic"], max_tokens=99, messages=said)
    once, again = [asked.raw.decode() for asked in played.services["anthropic"].asked]
    assert CITED in once and "citations" not in once
    assert '"encrypted_index":"proof"' in again.replace(": ", ":") and "cg1." not in again
