"""Parts of a content ↔ neutral parts, one at a time; that calls and responses belong together is seen to elsewhere.

A kind of part that has no neutral form (executable code, calls that the provider runs itself) is kept word for word.
"""

import orjson

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields, wrong_type
from callgate.core.json.text import dump_text
from callgate.core.messages import Json, Opaque, Part, Reasoning, ResultPart, Text, ToolCall, ToolResult
from callgate.wire.gemini_generate.arguments import write_arguments
from callgate.wire.gemini_generate.field_names import Camel
from callgate.wire.gemini_generate.media import read_inline, read_uri, write_media
from callgate.wire.gemini_generate.signatures import WIRE, signature_wire

SIGNATURE = "thoughtSignature"
_CALL, _RESPONSE, _INLINE, _FILE = "functionCall", "functionResponse", "inlineData", "fileData"
_OPAQUE = ("executableCode", "codeExecutionResult", "toolCall", "toolResponse")
_KINDS = frozenset({"text", _CALL, _RESPONSE, _INLINE, _FILE, *_OPAQUE})
"""What a part may hold, one of them at a time; all else stands beside it."""
_SAID = ("output", "result")
"""Keys of a function response that hold nothing but what the function returned."""
_camel_part = Camel(*_KINDS, SIGNATURE)
_camel_call = Camel("partialArgs", "willContinue")
_camel_response = Camel("willContinue")
_camel_media = Camel(_INLINE, _FILE)


def plain_text(given: Json) -> Text | None:
    """What most parts of a long history are: words, and nothing beside them."""
    if isinstance(given, dict) and len(given) == 1 and isinstance(text := given.get("text"), str):
        return Text(text)
    return None


def read_part(given: Fields) -> Part:
    """Calls and responses without an id get an empty one. Raises `BadRequest` for what is no part at all."""
    part = _camel_part(given)
    match held := _held_by(part):
        case "text":
            return _read_text(part)
        case "functionCall":
            return _read_call(part)
        case "functionResponse":
            return _read_response(part)
        case "inlineData":
            return read_inline(part.needed_child(_INLINE), part.rest(_INLINE))
        case "fileData":
            return read_uri(part.needed_child(_FILE), part.rest(_FILE))
        case "":
            return _read_unknown(part, given)
        case _:
            part.child(held)  # complains if it is no object
            return Opaque(WIRE, dict(given.value))


def _held_by(part: Fields) -> str:
    """The one kind of thing that it is; empty where none is known."""
    held = ""
    for key, value in part.value.items():
        if key in _KINDS and value is not None:
            if held:
                said = f"it holds {held} and {key}, but a part is only one thing."
                raise BadRequest(f"Invalid part '{part.path}': {said}", part.path)
            held = key
    return held


def _read_unknown(part: Fields, given: Fields) -> Part:
    """Only a signature, which some clients keep when they drop the empty text it was on; or a kind that came later."""
    signature = part.text(SIGNATURE, "")
    if signature and part.boolean("thought", False):
        return Reasoning("", signature, wire=signature_wire(signature))
    if signature:
        return Text("", part.rest())
    if any(isinstance(value, dict) for value in part.value.values()):
        return Opaque(WIRE, dict(given.value))
    raise BadRequest(f"Invalid part '{part.path}': it holds nothing that is known (text, functionCall …).", part.path)


def _read_text(part: Fields) -> Text | Reasoning:
    text, signature = part.text("text"), part.text(SIGNATURE, "")
    if not part.boolean("thought", False):
        return Text(text, part.rest("text"))
    extras = part.rest("text", "thought", SIGNATURE)
    return Reasoning(text, signature, wire=signature_wire(signature), extras=extras)


def _read_call(part: Fields) -> ToolCall:
    call = _camel_call(part.needed_child(_CALL))
    arguments = call.raw("args")
    if arguments is not None and not isinstance(arguments, dict):
        raise wrong_type(call.at("args"), "an object", arguments)
    signature = part.text(SIGNATURE, "")
    extras = part.rest(_CALL, SIGNATURE)
    unknown = call.rest("id", "name", "args")
    return ToolCall(
        call.text("id", ""),
        call.text("name"),
        dump_text(arguments or {}),
        signature=signature,
        wire=signature_wire(signature),
        extras={**extras, _CALL: unknown} if unknown else extras,
    )


def _read_response(part: Fields) -> ToolResult:
    response = _camel_response(part.needed_child(_RESPONSE))
    given = response.raw("response")
    if given is not None and not isinstance(given, dict):
        raise wrong_type(response.at("response"), "an object", given)
    said, is_error = _read_said(given or {})
    media = tuple(_read_response_media(item) for item in response.objects("parts"))
    extras = part.rest(_RESPONSE)
    kept = response.rest("id", "name", "response", "parts")
    if media:
        kept["parts"] = []  # its media stood within it, and does so on the way back
    if given is not None and given not in ({"output": said}, {"error": said}):
        kept["response"] = given
    if kept:
        extras = {**extras, _RESPONSE: kept}
    parts: tuple[ResultPart, ...] = ((Text(said),) if said else ()) + media
    return ToolResult(response.text("id", ""), parts, is_error, response.text("name", ""), extras=extras)


def _read_said(response: dict[str, Json]) -> tuple[str, bool]:
    """What a function returned, as text, and whether that is an error."""
    if not response:
        return "", False
    key, value = next(iter(response.items()))
    if len(response) == 1 and (key in _SAID or key == "error"):
        return value if isinstance(value, str) else dump_text(value), key == "error"
    return dump_text(response), response.get("error") is not None and "output" not in response


def _read_response_media(given: Fields) -> ResultPart:
    item = _camel_media(given)
    if (blob := item.child(_INLINE)) is not None:
        return read_inline(blob, item.rest(_INLINE))
    if (file := item.child(_FILE)) is not None:
        return read_uri(file, item.rest(_FILE))
    return Text(dump_text(given.value))


def write_call(call: ToolCall, id: str, signature: str, same: bool) -> dict[str, Json]:
    """An empty `id` is left out."""
    extras = dict(call.extras) if same else {}
    within = extras.pop(_CALL, None)
    spelled: dict[str, Json] = {"id": id} if id else {}
    spelled |= {"name": call.name, "args": write_arguments(call.arguments, call.variant)}
    if isinstance(within, dict):
        spelled |= within
    part: dict[str, Json] = {_CALL: spelled, **extras}
    return {**part, SIGNATURE: signature} if signature else part


def write_response(result: ToolResult, id: str, name: str, same: bool, media_within: bool) -> list[dict[str, Json]]:
    """The response, followed by its images where they may not stand within it."""
    extras = dict(result.extras) if same else {}
    kept = extras.pop(_RESPONSE, None)
    unknown = dict(kept) if isinstance(kept, dict) else {}
    given = unknown.pop("response", None)
    media_within = media_within or unknown.pop("parts", None) is not None
    said: Json = {"error" if result.is_error else "output": result.text}
    if isinstance(given, dict) and _read_said(given) == (result.text, result.is_error):
        said = given  # the client's own object, word for word
    elif result.structured is not None and not result.is_error and _says(result.text, result.structured):
        said = {"output": result.structured}  # the value itself, which this wire alone can carry
    spelled: dict[str, Json] = {"id": id} if id else {}
    spelled |= {"name": name, "response": said, **unknown}
    media: list[dict[str, Json]] = [write_media(part, same) for part in result.parts if not isinstance(part, Text)]
    if media and media_within:
        spelled["parts"] = list[Json](media)
        media = []
    return [{_RESPONSE: spelled, **extras}, *media]


def _says(text: str, value: Json) -> bool:
    """Whether a text is this value as JSON; one that says more is not to be lost."""
    try:
        return orjson.loads(text) == value
    except orjson.JSONDecodeError:
        return False


def write_thought(part: Reasoning, signature: str, same: bool) -> dict[str, Json]:
    thought: dict[str, Json] = {"text": part.text, "thought": True}
    if signature:
        thought[SIGNATURE] = signature
    return thought | (dict(part.extras) if same else {})
