"""`generationConfig`, both ways."""

from dataclasses import replace

import pytest
from tests.wire.samples_gemini_generate import PLAIN

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json, say
from callgate.core.request import ChatRequest, ReplyFormat, Sampling, Thinking
from callgate.wire.gemini_generate.generation import read_config, read_format, read_sampling, write_config
from callgate.wire.gemini_generate.read_request import read_request
from callgate.wire.gemini_generate.traits import ModelTraits, guess_traits

ASK = ChatRequest("openai-chat", "gemini-3-pro", (say("user", "hi"),))
NEW = guess_traits("gemini-3-pro")
SCHEMA: dict[str, Json] = {"type": "object", "properties": {"a": {"type": "integer", "exclusiveMinimum": 0}}}


def config(**given: Json) -> Fields:
    return read_config(Fields({"generationConfig": given}))


@pytest.mark.parametrize(
    ("given", "format"),
    [
        ({}, None),
        ({"responseMimeType": "text/plain"}, None),
        ({"responseMimeType": "application/json"}, ReplyFormat("json_object")),
        ({"responseSchema": {"type": "STRING"}}, ReplyFormat("json_schema", schema={"type": "string"})),
        (
            {"responseFormat": [{"text": {"mimeType": "application/json", "schema": {"type": "STRING"}}}]},
            ReplyFormat("json_schema", schema={"type": "string"}),
        ),
        ({"responseFormat": [{"text": {"mime_type": "APPLICATION_JSON"}}]}, ReplyFormat("json_object")),
        ({"responseFormat": [{"text": {"mimeType": "text/plain"}}, {"image": {"aspectRatio": "1:1"}}]}, None),
        ({"responseMimeType": "text/x.enum", "responseSchema": {"type": "STRING", "enum": ["a"]}}, None),
    ],
)
def test_the_shape_of_the_answer_is_read_and_given_back(given: dict[str, Json], format: ReplyFormat | None) -> None:
    assert read_format(config(**given)) == format
    request = read_request({**PLAIN, "generationConfig": given}, "gemini-3-pro")
    assert write_config(request, NEW, []) == given


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("maxOutputTokens", "5"),
        ("maxOutputTokens", 0),
        ("temperature", "hot"),
        ("topK", 1.5),
        ("stopSequences", "END"),
        ("candidateCount", 0),
        ("seed", 1.5),
    ],
)
def test_bad_values_are_refused_by_name(field: str, value: Json) -> None:
    with pytest.raises(BadRequest) as caught:
        read_sampling(config(**{field: value}))
    assert caught.value.fault.param == f"generationConfig.{field}"


def test_two_schemas_for_one_answer_are_refused() -> None:
    with pytest.raises(BadRequest) as caught:
        read_format(config(responseSchema={"type": "STRING"}, responseJsonSchema={"type": "string"}))
    assert caught.value.fault.param == "generationConfig.responseJsonSchema"


def test_a_foreign_requests_knobs_are_all_spelled() -> None:
    sampling = Sampling(9, 0.5, 0.9, 40, ("a", ""), 7, 2, 0.1, 0.2)
    request = replace(
        ASK, sampling=sampling, thinking=Thinking("low"), reply_format=ReplyFormat("json_schema", "n", SCHEMA)
    )
    assert write_config(request, NEW, []) == {
        "maxOutputTokens": 9,
        "temperature": 0.5,
        "topP": 0.9,
        "topK": 40,
        "stopSequences": ["a"],
        "seed": 7,
        "candidateCount": 2,
        "presencePenalty": 0.1,
        "frequencyPenalty": 0.2,
        "responseMimeType": "application/json",
        "responseJsonSchema": {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}},
        "thinkingConfig": {"thinkingLevel": "LOW", "includeThoughts": True},
    }


def test_an_old_server_gets_the_answers_schema_as_the_subset() -> None:
    request = replace(ASK, reply_format=ReplyFormat("json_schema", schema=SCHEMA))
    assert write_config(request, ModelTraits(json_schema=False), [])["responseSchema"] == {
        "type": "OBJECT",
        "properties": {"a": {"type": "INTEGER", "minimum": 1}},
    }
    assert write_config(replace(ASK, reply_format=ReplyFormat("json_object")), NEW, []) == {
        "responseMimeType": "application/json"
    }
    assert write_config(replace(ASK, reply_format=ReplyFormat("text")), NEW, []) == {}


def test_more_stop_sequences_than_the_provider_takes_are_cut_and_named() -> None:
    warnings: list[str] = []
    written = write_config(replace(ASK, sampling=Sampling(stop=tuple("abcdef"))), NEW, warnings)
    assert written == {"stopSequences": list("abcde")}
    assert warnings


def test_one_answer_is_the_usual_number() -> None:
    assert write_config(replace(ASK, sampling=Sampling(n=1)), NEW, []) == {}


def test_what_was_changed_is_written_anew_and_the_rest_kept() -> None:
    given: Json = {"thinkingConfig": {"thinkingLevel": "HIGH"}, "responseMimeType": "application/json", "novel": 1}
    request = read_request({**PLAIN, "generationConfig": given}, "gemini-3-pro")
    changed = replace(request, thinking=Thinking("low", summary="none"), reply_format=None)
    assert write_config(changed, NEW, []) == {"thinkingConfig": {"thinkingLevel": "LOW"}, "novel": 1}
