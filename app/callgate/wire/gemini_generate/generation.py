"""`generationConfig`, both ways: sampling, the shape of the answer, and thinking.

What came over this wire is given back as it was spelled, as long as it still says what is wanted.
"""

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ReplyFormat, Sampling, Thinking
from callgate.wire.gemini_generate.field_names import Camel
from callgate.wire.gemini_generate.json_schema import write_json_schema
from callgate.wire.gemini_generate.openapi_schema import read_reply_schema
from callgate.wire.gemini_generate.schema_subset import write_reply_subset
from callgate.wire.gemini_generate.signatures import WIRE
from callgate.wire.gemini_generate.thinking import normal_thinking, read_thinking, write_thinking
from callgate.wire.gemini_generate.traits import ModelTraits

CONFIG = "generationConfig"
MOST_CANDIDATES = 128
"""Far above what any provider gives; a slip of the pen must not open millions."""
MAX_STOPS = 5
"""The provider refuses more stop sequences."""

_MIME, _SCHEMA, _JSON_SCHEMA = "responseMimeType", "responseSchema", "responseJsonSchema"
_FORMAT = (_MIME, _SCHEMA, _JSON_SCHEMA)
_FORMATS = "responseFormat"
"""A list of formats, one for each kind of answer: what newer clients of Vertex AI say instead of the three others."""
_THINKING = "thinkingConfig"
_SAMPLING = (
    "maxOutputTokens",
    "temperature",
    "topP",
    "topK",
    "stopSequences",
    "seed",
    "candidateCount",
    "presencePenalty",
    "frequencyPenalty",
)
_JSON = "application/json"
_OTHERS = (
    "audioTimestamp",
    "enableEnhancedCivicAnswers",
    "imageConfig",
    "mediaResolution",
    "modelSelectionConfig",
    "responseLogprobs",
    "responseModalities",
    "routingConfig",
    "speechConfig",
)
"""Known by name only."""
_camel = Camel(*_SAMPLING, *_FORMAT, *_OTHERS, _FORMATS, _THINKING)
_camel_text = Camel("mimeType")


def read_config(fields: Fields) -> Fields:
    """The section, empty if there is none."""
    section = fields.child(CONFIG) or Fields({}, fields.at(CONFIG))
    return _camel(section)


def read_sampling(config: Fields) -> Sampling:
    return Sampling(
        max_tokens=config.integer("maxOutputTokens", None, minimum=1),
        temperature=config.number("temperature", None),
        top_p=config.number("topP", None),
        top_k=config.integer("topK", None),
        stop=tuple(config.texts("stopSequences")),
        seed=config.integer("seed", None),
        n=config.integer("candidateCount", None, minimum=1, maximum=MOST_CANDIDATES),
        presence_penalty=config.number("presencePenalty", None),
        frequency_penalty=config.number("frequencyPenalty", None),
    )


def read_format(config: Fields) -> ReplyFormat | None:
    if _FORMATS in config:
        return _read_formats(config)
    mime = config.text(_MIME, "")
    given = [key for key in (_SCHEMA, _JSON_SCHEMA) if key in config]
    if len(given) > 1:
        raise BadRequest(
            f"'{config.at(_SCHEMA)}' and '{_JSON_SCHEMA}' are mutually exclusive.", config.at(_JSON_SCHEMA)
        )
    if mime not in ("", _JSON):
        return None  # plain text, or an enum: no other wire has a word for it
    if given:
        return ReplyFormat("json_schema", schema=read_reply_schema(config.raw(given[0]), config.at(given[0])))
    return ReplyFormat("json_object") if mime else None


def _read_formats(config: Fields) -> ReplyFormat | None:
    """That of text, if it is JSON."""
    given = [text for format in config.objects(_FORMATS) if (text := format.child("text")) is not None]
    if len(given) != 1:
        return None
    text = _camel_text(given[0])
    if text.text("mimeType", "").lower().replace("_", "/") not in ("", _JSON):
        return None
    if "schema" in text:
        return ReplyFormat("json_schema", schema=read_reply_schema(text.raw("schema"), text.at("schema")))
    return ReplyFormat("json_object") if "mimeType" in text else None


def read_wanted_thinking(config: Fields) -> Thinking | None:
    return read_thinking(config.child(_THINKING))


def kept_config(config: Fields) -> dict[str, Json]:
    """What the neutral request does not hold, or holds in other words."""
    kept = config.rest(*_SAMPLING)
    if (thinking := config.child(_THINKING)) is not None:
        kept[_THINKING] = normal_thinking(thinking)
    return kept


def write_config(request: ChatRequest, traits: ModelTraits, warnings: list[str]) -> dict[str, Json]:
    given = request.extras.get(CONFIG) if request.wire == WIRE else None
    kept = dict(given) if isinstance(given, dict) else {}
    written = _write_sampling(request.sampling, request.wire == WIRE, warnings)
    if request.sampling.logprobs is not None:
        written |= {"responseLogprobs": True}
        written |= {"logprobs": request.sampling.logprobs} if request.sampling.logprobs else {}
    if read_format(Fields(kept)) != request.reply_format:
        kept = {key: value for key, value in kept.items() if key not in (*_FORMAT, _FORMATS)}
        written |= _write_format(request.reply_format, traits)
    if read_wanted_thinking(Fields(kept)) != request.thinking:
        kept.pop(_THINKING, None)
        thinking = write_thinking(request.thinking, traits, warnings)
        if thinking:
            written[_THINKING] = thinking
    return written | kept


def _write_sampling(sampling: Sampling, same: bool, warnings: list[str]) -> dict[str, Json]:
    stop = list(sampling.stop) if same else [sequence for sequence in sampling.stop if sequence]
    if len(stop) > MAX_STOPS and not same:
        warnings.append(f"stop: Gemini takes {MAX_STOPS} sequences; the others were left out")
        stop = stop[:MAX_STOPS]
    values: tuple[Json, ...] = (
        sampling.max_tokens,
        sampling.temperature,
        sampling.top_p,
        sampling.top_k,
        list[Json](stop) or None,
        sampling.seed,
        sampling.n if same or sampling.n != 1 else None,
        sampling.presence_penalty,
        sampling.frequency_penalty,
    )
    return {key: value for key, value in zip(_SAMPLING, values, strict=True) if value is not None}


def _write_format(format: ReplyFormat | None, traits: ModelTraits) -> dict[str, Json]:
    if format is None or format.kind == "text":
        return {}
    if format.kind == "json_object" or not isinstance(format.schema, dict):
        return {_MIME: _JSON}
    if traits.json_schema:
        return {_MIME: _JSON, _JSON_SCHEMA: write_json_schema(format.schema)}
    return {_MIME: _JSON, _SCHEMA: write_reply_subset(format.schema)}
