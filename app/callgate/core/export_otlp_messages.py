"""Messages as the GenAI conventions of OpenTelemetry spell them. Pure."""

from typing import assert_never

from callgate.core.messages import (
    File,
    Image,
    Json,
    Message,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
)


def message_json(message: Message) -> Json:
    return {"role": message.role, "parts": [_part(part) for part in message.parts]}


def _part(part: Part) -> Json:
    match part:
        case Text() | Refusal():
            return {"type": "text", "content": part.text}
        case Reasoning():
            return {"type": "reasoning", "content": part.text}
        case ToolCall():
            return {"type": "tool_call", "id": part.id, "name": part.name, "arguments": part.arguments}
        case ToolResult():
            return {"type": "tool_call_response", "id": part.call_id, "result": part.text}
        case Image() | File():
            # the bytes of a picture have no place in a trace
            where: Json = part.url if part.url and not part.url.startswith("data:") else part.file_id
            return {"type": part.kind, "mime_type": part.media_type, "uri": where}
        case Opaque():
            return {"type": "opaque", "wire": part.wire}
        case _:
            assert_never(part)
