"""Callgate's tools and outcomes in MCP's words: the other direction of `tools/mcp_source/content`."""

from typing import assert_never

import mcp_types as mcp

from callgate.core.messages import File, Image, ResultPart, Text
from callgate.core.tool import Outcome, Tool


def write_tool(tool: Tool) -> mcp.Tool:
    """Without its output schema: a person may change or write a result, and then nothing structured goes with it."""
    hints = tool.annotations
    return mcp.Tool(
        name=tool.name,
        title=tool.title or None,
        description=tool.description or None,
        input_schema={"type": "object", **tool.schema},
        annotations=mcp.ToolAnnotations(
            title=tool.title or None,
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=hints.open_world,
        ),
        icons=[mcp.Icon(src=icon) for icon in tool.icons] or None,
    )


def write_outcome(outcome: Outcome) -> mcp.CallToolResult:
    structured = outcome.structured if isinstance(outcome.structured, dict) else None
    return mcp.CallToolResult(
        content=[write_part(part) for part in outcome.parts], structured_content=structured, is_error=outcome.is_error
    )


def write_part(part: ResultPart) -> mcp.ContentBlock:
    match part:
        case Text():
            return mcp.TextContent(text=part.text)
        case Image() if part.data:
            return mcp.ImageContent(data=part.data, mime_type=part.media_type)
        case File() if part.data and part.media_type.startswith("audio/"):
            return mcp.AudioContent(data=part.data, mime_type=part.media_type)
        case File() if part.data:
            name = part.name or "file"
            return mcp.EmbeddedResource(
                resource=mcp.BlobResourceContents(uri=f"attachment:{name}", blob=part.data, mime_type=part.media_type)
            )
        case Image() | File():
            name = part.name if isinstance(part, File) and part.name else part.kind
            return mcp.ResourceLink(uri=part.url or part.file_id, name=name, mime_type=part.media_type or None)
        case _:
            assert_never(part)
