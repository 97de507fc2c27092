"""`ChatRequest` → the body for a provider of this wire; the model and whether to stream go into the path.

A request that came over the same wire is given back in its normal form: camelCase, one entry with all functions, sides
that alternate. One from another wire is translated; what cannot be said is named in the warnings, or refused where
leaving it out would change what was asked.
"""

from callgate.core.messages import Extras, Json, Message, Text
from callgate.core.request import ChatRequest
from callgate.wire.codec import Written
from callgate.wire.dialects import Dialect
from callgate.wire.gemini_generate.generation import CONFIG, write_config
from callgate.wire.gemini_generate.signatures import WIRE
from callgate.wire.gemini_generate.tools import write_tools
from callgate.wire.gemini_generate.traits import ModelTraits, guess_traits
from callgate.wire.gemini_generate.write_contents import Content, ContentWriter

_KEPT_ELSEWHERE = (CONFIG, "toolConfig")


def write_request(request: ChatRequest, dialect: Dialect, traits: ModelTraits | None = None) -> Written:
    """`traits`: what the model and its server can do; guessed from the model's name if not given."""
    can = traits or guess_traits(request.model)
    same = request.wire == WIRE
    warnings: list[str] = []
    system, messages = _split_system(request, same, warnings)
    contents = ContentWriter(same, can, warnings).write(messages)
    if not same:
        _shape(contents, warnings)
    body: dict[str, Json] = {"systemInstruction": system} if system else {}
    body["contents"] = [content.spelled() for content in contents]
    body |= write_tools(request, can, warnings)
    if config := write_config(request, can, warnings):
        body[CONFIG] = config
    if same:
        body |= {key: value for key, value in request.extras.items() if key not in _KEPT_ELSEWHERE}
    return Written(body, tuple(dict.fromkeys(warnings)))


def _split_system(request: ChatRequest, same: bool, warnings: list[str]) -> tuple[dict[str, Json], tuple[Message, ...]]:
    """The leading instructions, and the rest. Those with pictures in them are said on the user's side."""
    messages = request.messages
    leading = 0
    while leading < len(messages) and _is_told_in_words(messages[leading]):
        leading += 1
    if leading == len(messages) and leading:
        leading -= 1  # nobody else has spoken: the wire needs a content, so the last one is said as the user's
        warnings.append("messages: there is only a system message; sent as the user's")
    parts: list[Json] = [
        {"text": part.text, **(part.extras if same else {})}
        for message in messages[:leading]
        for part in message.parts
        if isinstance(part, Text) and (part.text or same)
    ]
    extras: Extras = messages[0].extras if same and leading else {}
    return ({"parts": parts, **extras} if parts else {}), messages[leading:]


def _is_told_in_words(message: Message) -> bool:
    return message.role in ("system", "developer") and all(isinstance(part, Text) for part in message.parts)


def _shape(contents: list[Content], warnings: list[str]) -> None:
    """What only a foreign history can get wrong."""
    if not contents:
        contents.append(Content("user", {"text": ""}))
    elif contents[0].role == "model":
        warnings.append("messages: the first one is the assistant's; a user message was put before it")
        contents.insert(0, Content("user", {"text": "(continued)"}))
