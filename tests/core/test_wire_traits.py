"""Traits say where a chat request goes and whose client asks."""

import pytest

from callgate.wire.registry import CODECS, TRAITS


@pytest.mark.parametrize(
    ("model", "stream", "array", "path"),
    [
        ("m", False, False, "/v1beta/models/m:generateContent"),
        ("models/m", True, False, "/v1beta/models/m:streamGenerateContent?alt=sse"),
        ("tunedModels/m", True, True, "/v1beta/tunedModels/m:streamGenerateContent"),
    ],
)
def test_a_path_may_name_the_model_and_how_to_answer(model: str, stream: bool, array: bool, path: str) -> None:
    assert TRAITS["gemini"].path_for(model, stream=stream, array=array) == path


def test_a_path_without_a_model_is_the_same_for_all() -> None:
    assert {TRAITS["anthropic"].path_for(model, stream=stream) for model in "ab" for stream in (True, False)} == {
        "/v1/messages"
    }


@pytest.mark.parametrize(
    ("path", "method", "headers", "query", "wire"),
    [
        ("/v1/models", "GET", {"anthropic-version": "2023-06-01"}, {}, "anthropic"),
        ("/v1/models", "GET", {"x-goog-api-client": "x"}, {}, "gemini"),
        ("/v1/models", "GET", {}, {"key": "k"}, "gemini"),
        ("/v1beta/models", "GET", {}, {}, "gemini"),
        ("/api/show", "POST", {}, {}, "ollama"),
        ("/v1/models/m:countTokens", "POST", {}, {}, "gemini"),
    ],
)
def test_clients_are_recognised_by_the_marks_of_their_wire(
    path: str, method: str, headers: dict[str, str], query: dict[str, str], wire: str
) -> None:
    owners = [name for name, traits in TRAITS.items() if traits.marks.own(path)]
    marked = [name for name, traits in TRAITS.items() if traits.marks.match(method, headers, query)]
    assert (owners or marked) == [wire]


def test_every_codec_says_which_wire_it_is_once() -> None:
    assert [(codec.wire, codec.traits.wire) for codec in CODECS.values()] == [(wire, wire) for wire in TRAITS]
    assert len({traits.reply_id for traits in TRAITS.values()}) == len(TRAITS)
    assert len({traits.title for traits in TRAITS.values()}) == len(TRAITS)
