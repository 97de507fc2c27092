"""MCP content as parts of Callgate's own, and an MCP result as an outcome."""

from typing import assert_never

import mcp_types as mcp

from callgate.core.json.text import dump_text
from callgate.core.messages import File, Image, Json, ResultPart, Text
from callgate.core.schema.json_schema import compiled
from callgate.core.tool import Outcome, Tool

_MOST_PROBLEMS = 3


def read_outcome(tool: Tool, result: mcp.CallToolResult) -> Outcome:
    """The whole result; one that breaks the tool's own output schema is kept, and the breach is said in a text."""
    parts = [read_block(block) for block in result.content]
    structured: Json = result.structured_content
    if structured is not None and not parts:
        parts.append(Text(dump_text(structured)))
    breach = "" if result.is_error else _breach(tool, result)
    if breach:
        parts.append(Text(f"[Callgate: {breach}]"))
    return Outcome(tuple(parts), result.is_error, structured)


def read_block(block: mcp.ContentBlock) -> ResultPart:
    """Without extras: those are keys of a chat wire, and would go out on it."""
    match block:
        case mcp.TextContent():
            return Text(block.text)
        case mcp.ImageContent():
            return Image(block.mime_type, block.data)
        case mcp.AudioContent():
            return File(block.mime_type, block.data)
        case mcp.ResourceLink():
            return Text(_link_text(block))
        case mcp.EmbeddedResource():
            return _embedded(block.resource)
        case _:
            assert_never(block)


def _embedded(resource: mcp.TextResourceContents | mcp.BlobResourceContents) -> ResultPart:
    match resource:
        case mcp.TextResourceContents():
            return Text(resource.text)
        case mcp.BlobResourceContents() if (resource.mime_type or "").startswith("image/"):
            return Image(resource.mime_type or "", resource.blob)
        case mcp.BlobResourceContents():
            name = str(resource.uri).rstrip("/").rpartition("/")[2]
            return File(resource.mime_type or "application/octet-stream", resource.blob, name=name)
        case _:
            assert_never(resource)


def _link_text(link: mcp.ResourceLink) -> str:
    about = f" ({link.description})" if link.description else ""
    return f"{link.title or link.name}: {link.uri}{about}"


def _breach(tool: Tool, result: mcp.CallToolResult) -> str:
    """How the result breaks the output schema that the tool declares; empty = it does not."""
    if tool.output_schema is None:
        return ""
    if result.structured_content is None and "structured_content" not in result.model_fields_set:
        return "this tool declares an output schema but returned no structured content"
    problems = [
        f"{_path(error.instance_path)}{error.message}"
        for error in compiled(tool.output_schema).iter_errors(result.structured_content)
    ]
    if not problems:
        return ""
    more = f" (and {len(problems) - _MOST_PROBLEMS} more)" if len(problems) > _MOST_PROBLEMS else ""
    listed = "; ".join(problems[:_MOST_PROBLEMS])
    return f"the structured content breaks the output schema that this tool declares: {listed}{more}"


def _path(steps: list[str | int]) -> str:
    return ".".join(str(step) for step in steps) + ": " if steps else ""
