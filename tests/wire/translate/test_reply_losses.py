"""Between two wires nothing of a reply is lost in silence; over real sockets that is in `flows/test_rich_replies`."""

import copy
import re
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from tests.fakes.rich_replies import PLAIN, STREAMED

from callgate.core.assembly import disassemble
from callgate.core.deltas import CallStarted, Cited, Delta, Finished, PartArrived, TextDelta, TokensWeighed
from callgate.core.messages import Citation, File, Image, Opaque, TokenLogprob
from callgate.core.request import WireName
from callgate.wire.registry import CODECS
from callgate.wire.translate.reply_losses import OF_NO_WEIGHT, OF_WEIGHT_WITH_A_SEED, USUAL, ReplyLosses
from callgate.wire.unknown_fields import Beside

NEW = "brand_new"
COMES_WHOLE = (
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "mcp_call",
    "image_generation_call",
    "server_tool_use",
    "web_search_tool_result",
    "executableCode",
    "codeExecutionResult",
)
"""What is named as a whole needs no name for each of its fields."""
Path = tuple[str | int, ...]


def places(value: Any, at: Path = ()) -> Iterator[Path]:
    """Every object within a reply."""
    if isinstance(value, dict):
        yield at
        for key, held in value.items():
            yield from places(held, (*at, key))
    elif isinstance(value, list):
        for index, held in enumerate(value):
            yield from places(held, (*at, index))


def with_new(value: Any, at: Path) -> Any:
    changed = copy.deepcopy(value)
    held = changed
    for step in at:
        held = held[step]
    held[NEW] = {"deep": 1}
    return changed


def is_of_a_whole(value: Any, at: Path) -> bool:
    held = value
    for step in at:
        if isinstance(held, dict) and (held.get("type") in COMES_WHOLE or any(key in COMES_WHOLE for key in held)):
            return True
        held = held[step]
    return isinstance(held, dict) and (held.get("type") in COMES_WHOLE or any(key in COMES_WHOLE for key in held))


SUMS = ("completion_tokens_details", "promptTokensDetails", "cache_creation")
"""Parts of a sum that is told."""

PLAIN_PLACES = [
    pytest.param(provider, at, id=f"{provider}-{'.'.join(map(str, at)) or 'top'}")
    for provider, body in PLAIN.items()
    for at in places(body)
    if not is_of_a_whole(body, at) and not set(at) & set(SUMS)
]


def other(wire: str) -> WireName:
    return "anthropic" if wire != "anthropic" else "gemini"


def named(provider: str, deltas: list[Delta], beside: list[Beside], **more: bool) -> str:
    unheard = ReplyLosses(other(provider), CODECS[provider].wire, streamed=False, **more)
    unheard.hear(deltas, beside)
    return "".join(unheard.warnings)


def heard(provider: str, body: dict[str, Any]) -> str:
    response = CODECS[provider].read_response(body)
    return named(provider, disassemble(response), list(response.beside))


@pytest.mark.parametrize(("provider", "at"), PLAIN_PLACES)
def test_a_field_that_nobody_knows_yet_is_named_wherever_it_stands(provider: str, at: Path) -> None:
    before = heard(provider, PLAIN[provider])
    steps = [step for step in at if isinstance(step, str)]
    above = [".".join(steps[:count]) for count in range(1, len(steps) + 1)]
    assert NEW in heard(provider, with_new(PLAIN[provider], at)) or any(
        re.search(f" {re.escape(name)}[,:]", before) for name in above
    )


PROGRESS = (
    "annotation.added",
    "content_part.added",
    "content_part.done",
    "output_item.added",
    "output_text.done",
    "response.created",
)
"""Events of Responses whose item or response comes once more, and whole, when it is done."""


def events_of(provider: str) -> list[dict[str, Any]]:
    lines = STREAMED[provider].decode().split("\n")
    return [orjson.loads(line[6:]) for line in lines if line.startswith("data: {")]


def streamed(provider: str, events: list[dict[str, Any]]) -> str:
    reader = CODECS[provider].stream_reader()
    named_events = provider in ("openai-responses", "anthropic")
    pieces = [
        (f"event: {event['type']}\n" if named_events else "") + f"data: {orjson.dumps(event).decode()}\n\n"
        for event in events
    ]
    frames = [*reader.decode("".join(pieces).encode()), *reader.flush()]
    unheard = ReplyLosses(other(provider), CODECS[provider].wire, streamed=True)
    for frame in frames:
        unheard.hear(frame.deltas, frame.beside)
    return "".join(unheard.warnings)


EVENTS_THEMSELVES = ("openai-responses", "anthropic")
"""Wires whose events say what they are and hold what they are about; beside that they say nothing of the answer."""


def stream_places() -> list[Any]:
    found: list[Any] = []
    for provider in STREAMED:
        for number, event in enumerate(events_of(provider)):
            kind = str(event.get("type", ""))
            if kind in ("ping", "message_stop", "content_block_stop") or kind.endswith(PROGRESS):
                continue
            for at in places(event):
                empty = not at and provider in EVENTS_THEMSELVES and kind != "message_delta"
                told_before = at[:2] == ("response", "output")
                if not empty and not told_before and not is_of_a_whole(event, at) and not set(at) & set(SUMS):
                    name = f"{provider}-{number}-{'.'.join(map(str, at)) or 'top'}"
                    found.append(pytest.param(provider, number, at, id=name))
    return found


@pytest.mark.parametrize(("provider", "number", "at"), stream_places())
def test_a_field_that_nobody_knows_yet_is_named_wherever_it_stands_in_a_stream(
    provider: str, number: int, at: Path
) -> None:
    events = events_of(provider)
    before = streamed(provider, events)
    after = streamed(provider, [*events[:number], with_new(events[number], at), *events[number + 1 :]])
    steps = [step for step in at if isinstance(step, str) and step not in ("delta", "message", "response")]
    above = [".".join(steps[count:]) for count in range(len(steps))] + steps
    assert NEW in after or any(re.search(rf"[ .]{re.escape(name)}[,:]", before) for name in above)


@pytest.mark.parametrize("provider", PLAIN)
def test_plain_and_streamed_the_same_is_named(provider: str) -> None:
    plain, live = heard(provider, PLAIN[provider]), streamed(provider, events_of(provider))
    assert names_in(live) - {"citations' places"} == names_in(plain)


def names_in(warning: str) -> set[str]:
    return {*warning.removeprefix("answer: ").partition(": ")[0].split(", ")}


def test_what_is_of_no_weight_is_not_named_and_has_a_reason() -> None:
    assert named("openai-chat", [], [(name, "x") for name in OF_NO_WEIGHT]) == ""
    assert all(len(reason) > 10 for reason in OF_NO_WEIGHT.values())
    for name, values in USUAL.items():
        for value in values:
            assert named("openai-chat", [], [(name, value)]) == ""
        assert f"answer: {name}: " in named("openai-chat", [], [(name, "unusual")])


def test_a_fingerprint_is_named_to_those_who_asked_with_a_seed() -> None:
    for name in OF_WEIGHT_WITH_A_SEED:
        assert named("openai-chat", [], [(name, "fp")]) == ""
        assert name in named("openai-chat", [], [(name, "fp")], seeded=True)


def test_ratings_are_named_where_they_rate_something() -> None:
    harmless = [{"category": "A", "probability": "NEGLIGIBLE"}]
    assert named("gemini", [], [("candidates.safetyRatings", harmless)]) == ""
    for rating in ({"probability": "LOW"}, {"probability": "NEGLIGIBLE", "blocked": True}):
        assert "safetyRatings" in named("gemini", [], [("candidates.safetyRatings", [rating])])


def test_filters_are_named_where_they_found_something() -> None:
    name = "choices.content_filter_results"
    safe = {"hate": {"filtered": False, "severity": "safe"}, "protected_material_text": {"detected": False}}
    assert named("openai-chat", [], [(name, safe)]) == ""
    for found in ({"hate": {"severity": "low"}}, {"jailbreak": {"detected": True}}, {"hate": {"filtered": True}}):
        assert name in named("openai-chat", [], [(name, {**safe, **found})])


def warned(client: WireName, *deltas: Delta, streamed: bool = False) -> str:
    provider: WireName = "openai-chat" if client != "openai-chat" else "gemini"
    unheard = ReplyLosses(client, provider, streamed=streamed)
    unheard.hear(deltas)
    return "".join(unheard.warnings)


PAGE = Citation("https://a.example", "A", "it says", 0, 2)
WORDS = TextDelta(0, "ab")


@pytest.mark.parametrize(
    ("client", "deltas", "name"),
    [
        ("openai-chat", (WORDS, Cited(0, PAGE)), "citations' quotes"),
        ("anthropic", (WORDS, Cited(0, PAGE)), ""),
        ("openai-chat", (WORDS, Cited(0, Citation(title="doc"))), "citations of documents"),
        ("gemini", (WORDS, Cited(0, Citation(title="doc"))), ""),
        ("anthropic", (WORDS, TokensWeighed(0, (TokenLogprob("ab", -1.0),))), "logprobs"),
        ("gemini", (WORDS, TokensWeighed(0, (TokenLogprob("ab", -1.0),))), ""),
        ("openai-responses", (TextDelta(0, "b", 1),), "choices"),
        ("gemini", (TextDelta(0, "b", 1),), ""),
        ("openai-chat", (Finished("stop", "END"),), "stop_sequence"),
        ("anthropic", (Finished("stop", "END"),), ""),
        ("openai-responses", (Finished("content_filter", "SAFETY"),), "why it was filtered"),
        ("openai-chat", (Finished("refusal", "No."),), ""),
        ("openai-chat", (PartArrived(0, Image("image/png", "AA")),), "image"),
        ("openai-responses", (PartArrived(0, Image("image/png", "AA")),), ""),
        ("openai-responses", (PartArrived(0, Image(url="https://a.example/b.png")),), "image"),
        ("gemini", (PartArrived(0, File("audio/wav", "AA")),), ""),
        ("openai-responses", (PartArrived(0, File("audio/wav", "AA")),), "audio"),
        ("anthropic", (PartArrived(0, Opaque("gemini", {"executableCode": {}})),), "executableCode"),
        ("anthropic", (PartArrived(0, Opaque("anthropic", {"type": "server_tool_use"})),), ""),
    ],
)
def test_what_a_client_has_no_word_for_is_named(client: WireName, deltas: tuple[Delta, ...], name: str) -> None:
    assert warned(client, *deltas) == (f"answer: {name}: {client} has no word for it; left out" if name else "")


@pytest.mark.parametrize("client", ["openai-responses", "anthropic"])
def test_what_comes_after_its_text_has_ended_is_lost_only_in_a_stream(client: WireName) -> None:
    late = (WORDS, CallStarted(1, "c", "look"), Cited(0, PAGE))
    assert "answer: citations:" in warned(client, *late, streamed=True)
    assert "citations:" not in warned(client, *late, streamed=False)


def test_in_a_stream_anthropics_clients_are_told_no_place_within_a_text() -> None:
    assert warned("anthropic", WORDS, Cited(0, PAGE), streamed=True) == ""
    assert "citations' places" in warned("anthropic", TextDelta(0, "abc"), Cited(0, PAGE), streamed=True)


def test_an_answer_that_is_written_anew_in_its_own_wire_says_what_it_lost() -> None:
    unheard = ReplyLosses("anthropic", "anthropic", streamed=True)
    unheard.hear([PartArrived(0, Opaque("anthropic", {"type": "server_tool_use"}))], [("container", {"id": "c"})])
    assert unheard.warnings == ("answer: container: left out, as the answer had to be written anew",)
