"""Between two wires nothing of a request is lost in silence."""

from typing import Any

import pytest
from tests.wire.contract import Samples, all_samples

from callgate.core.errors import BadRequest
from callgate.core.request import ChatRequest, WireName
from callgate.wire.registry import CODECS
from callgate.wire.translate import translate
from callgate.wire.translate.request_losses import request_losses

ALL = {samples.codec.wire: samples for samples in all_samples()}
PAIRS = [
    pytest.param(ALL[client], provider, id=f"{client}-to-{provider}")
    for client in ALL
    for provider in ALL
    if client != provider
]
BODIES: dict[WireName, dict[str, Any]] = {
    "openai-chat": {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    "openai-responses": {"model": "m", "input": "hi"},
    "anthropic": {"model": "m", "max_tokens": 10, "messages": [{"role": "user", "content": "hi"}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
    "ollama": {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
}


def read(wire: WireName, **more: Any) -> ChatRequest:
    path: dict[str, Any] = {"model": "m", "stream": False} if wire == "gemini" else {}
    return CODECS[wire].read_request({**BODIES[wire], **more}, **path)


def other(wire: WireName) -> WireName:
    return "gemini" if wire == "anthropic" else "anthropic"


@pytest.mark.parametrize(("samples", "provider"), PAIRS)
def test_a_field_that_nobody_knows_yet_is_named_on_its_way_to_every_other_wire(
    samples: Samples, provider: WireName
) -> None:
    wire = samples.codec.wire
    warnings = translate(read(wire, brand_new_field={"deep": 1}), provider, "m").warnings
    assert [warning for warning in warnings if "brand_new_field" in warning]


@pytest.mark.parametrize("wire", ALL)
def test_a_plain_request_loses_nothing(wire: WireName) -> None:
    assert translate(read(wire), other(wire), "m").warnings == ()


@pytest.mark.parametrize(
    ("wire", "more", "named"),
    [
        ("openai-chat", {"logprobs": True, "top_logprobs": 3}, "logprobs, top_logprobs"),
        ("openai-chat", {"user": "u", "service_tier": "flex", "verbosity": "low"}, "user, service_tier, verbosity"),
        ("openai-chat", {"store": True}, "store"),
        ("openai-chat", {"modalities": ["text", "audio"]}, "modalities"),
        ("openai-chat", {"response_format": {"type": "grammar", "grammar": "x"}}, "response_format"),
        ("openai-chat", {"messages": [{"role": "user", "name": "ada", "content": "hi"}]}, "messages.name"),
        (
            "anthropic",  # as Claude Code says it of a single turn
            {"messages": [{"role": "user", "content": "hi", "output_config": {"effort": "low"}}]},
            "messages.output_config",
        ),
        ("gemini", {"contents": [{"parts": [{"text": "hi"}], "cachePoint": {}, "mark": 1}]}, "messages.mark"),
        ("openai-responses", {"text": {"verbosity": "low"}}, "text.verbosity"),
        ("openai-responses", {"reasoning": {"effort": "low", "context": "all_turns"}}, "reasoning.context"),
        ("openai-responses", {"include": ["message.output_text.logprobs"]}, "include"),
        ("openai-responses", {"truncation": "auto", "max_tool_calls": 2}, "truncation, max_tool_calls"),
        ("anthropic", {"metadata": {"user_id": "u"}, "container": "c"}, "metadata, container"),
        ("anthropic", {"output_config": {"effort": "low", "x": 1}}, "output_config.x"),
        (
            "anthropic",
            {
                "tools": [{"name": "f", "input_schema": {"type": "object"}, "defer_loading": True}],
                "system": [{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}],
            },
            "tools.defer_loading, messages.cache_control",
        ),
        ("gemini", {"safetySettings": [{"category": "X"}]}, "safetySettings"),
        ("gemini", {"generationConfig": {"responseLogprobs": True}}, "generationConfig.responseLogprobs"),
        ("gemini", {"generationConfig": {"responseMimeType": "text/x.enum"}}, "generationConfig.responseMimeType"),
        ("gemini", {"toolConfig": {"retrievalConfig": {"languageCode": "de"}}}, "toolConfig.retrievalConfig"),
    ],
)
def test_what_only_one_wire_can_ask_is_named_in_one_warning(wire: WireName, more: dict[str, Any], named: str) -> None:
    (warning,) = request_losses(read(wire, **more), other(wire))
    assert warning.startswith(f"{named}: {other(wire)} has no word for ")


@pytest.mark.parametrize(
    ("wire", "more"),
    [
        ("openai-chat", {"max_tokens": 5, "stream_options": {"include_usage": True, "include_obfuscation": False}}),
        ("openai-chat", {"modalities": ["text"], "service_tier": "auto", "logprobs": False, "metadata": {}}),
        ("openai-responses", {"include": ["reasoning.encrypted_content"], "truncation": "disabled", "store": True}),
        ("anthropic", {"thinking": {"type": "enabled", "budget_tokens": 1024}, "output_config": {"effort": "low"}}),
        ("anthropic", {"thread": {"type": "create"}, "service_tier": "auto"}),
        ("gemini", {"generationConfig": {"thinkingConfig": {"thinkingBudget": 5}, "responseModalities": ["TEXT"]}}),
        ("gemini", {"systemInstruction": {"role": "user", "parts": [{"text": "Be brief."}]}}),
        ("gemini", {"generationConfig": {"responseMimeType": "application/json"}}),
    ],
)
def test_what_is_heeded_or_happens_anyway_is_not_named(wire: WireName, more: dict[str, Any]) -> None:
    assert request_losses(read(wire, **more), other(wire)) == []


def test_cache_marks_go_to_the_wire_that_has_them() -> None:
    marked = {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}}
    request = read("openai-chat", messages=[{"role": "user", "content": [marked]}])
    assert request_losses(request, "anthropic") == []
    assert request_losses(request, "gemini") == ["messages.cache_control: gemini has no word for it; left out"]


@pytest.mark.parametrize(
    ("wire", "field", "value"),
    [
        ("openai-responses", "conversation", "conv_1"),
        ("openai-responses", "background", True),
        ("anthropic", "mcp_servers", [{"type": "url", "url": "https://mcp.example", "name": "x"}]),
        ("gemini", "cachedContent", "cachedContents/1"),
    ],
)
def test_what_stands_for_something_at_its_own_provider_is_refused(wire: WireName, field: str, value: object) -> None:
    with pytest.raises(BadRequest) as caught:
        translate(read(wire, **{field: value}), other(wire), "m")
    assert caught.value.fault.param == field


def test_both_spellings_of_gemini_are_heeded() -> None:
    request = read(
        "gemini",
        tools=[{"function_declarations": [{"name": "f"}]}],
        tool_config={"function_calling_config": {"mode": "ANY", "allowed_function_names": ["f"]}},
        generation_config={"thinking_config": {"thinking_budget": -1}, "response_logprobs": True},
    )
    assert request_losses(request, "openai-chat") == []


def test_a_search_that_is_asked_for_by_an_empty_object_is_named() -> None:
    assert "web_search_options" in request_losses(read("openai-chat", web_search_options={}), "anthropic")[0]
