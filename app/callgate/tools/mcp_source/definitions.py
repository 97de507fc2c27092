"""Tool definitions as a server lists them → tools of Callgate. What can't be used stays visible, with the reason."""

from collections.abc import Iterable
from dataclasses import replace

import mcp_types as mcp

from callgate.core.schema.json_schema import schema_problem
from callgate.core.tool import Annotations, Tool
from callgate.tools.mcp_source.listing import Listing, ToolProblem
from callgate.tools.mcp_source.sanitise import Unusable


def read_listing(
    source: str, listed: Iterable[mcp.Tool], unusable: Iterable[Unusable] = (), mended: Iterable[tuple[str, str]] = ()
) -> Listing:
    """Every tool once, in the server's order; those that can't be used come last and are not enabled."""
    tools: dict[str, Tool] = {}
    problems = [ToolProblem(name, what) for name, what in mended]
    for definition in listed:
        if definition.name in tools:
            problems.append(ToolProblem(definition.name, "listed more than once; the first one counts"))
            continue
        tool, reason = _read(source, definition)
        tools[tool.name] = tool
        if reason:
            problems.append(ToolProblem(tool.name, reason))
    for broken in unusable:
        problems.append(ToolProblem(broken.name, broken.reason))
        if broken.name and broken.name not in tools:
            tool = Tool(broken.name, source, broken.description)
            tools[broken.name] = _disabled(tool, broken.reason)
    return Listing(tuple(tools.values()), tuple(problems))


def _read(source: str, definition: mcp.Tool) -> tuple[Tool, str]:
    hints = definition.annotations or mcp.ToolAnnotations()
    tool = Tool(
        definition.name,
        source,
        definition.description or "",
        definition.input_schema,
        title=definition.title or hints.title or "",
        output_schema=definition.output_schema,
        annotations=Annotations(
            hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint
        ),
        icons=tuple(icon.src for icon in definition.icons or ()),
    )
    if definition.execution is not None and definition.execution.task_support == "required":
        reason = "it can only be run as an MCP task, which Callgate does not speak"
        return _disabled(tool, reason), reason
    broken = schema_problem(definition.input_schema)
    if broken:
        reason = f"its input schema can't be used: {broken}"
        return _disabled(replace(tool, schema={}), reason), reason
    output = definition.output_schema
    broken = schema_problem(output, of_arguments=False) if output is not None else ""
    if broken:
        return replace(tool, output_schema=None), f"its output schema can't be used and is ignored: {broken}"
    return tool, ""


def _disabled(tool: Tool, reason: str) -> Tool:
    return replace(tool, enabled=False, user_description=f"Can't be used: {reason}")
