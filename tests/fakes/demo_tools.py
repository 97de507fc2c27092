"""Tools as clients offer them to a model: the usual ones, for tests of the demo model."""

from callgate.core.messages import Json
from callgate.core.tool import ToolSpec


def schema(required: list[str], **properties: Json) -> dict[str, Json]:
    return {"type": "object", "properties": properties, "required": list(required)}


def text(description: str = "", **more: Json) -> Json:
    return {"type": "string", "description": description, **more}


TOOLS = (
    ToolSpec(
        "read_file",
        "Read a text file of the workspace.",
        schema(
            ["path"],
            path=text("Path of the file, relative to the workspace"),
            start_line={"type": "integer", "minimum": 1},
            end_line={"type": "integer", "minimum": 1},
        ),
    ),
    ToolSpec(
        "list_directory",
        "List the files and folders in a directory of the workspace.",
        schema([], path=text("Path of the directory", default=".")),
    ),
    ToolSpec(
        "find_files",
        "Find files of the workspace by a glob on their path.",
        schema(["pattern"], pattern=text("Glob"), path=text("Directory to search in", default=".")),
    ),
    ToolSpec(
        "search_text",
        "Search the text of the workspace's files.",
        schema(
            ["query"],
            query=text("Text to look for"),
            path=text("File or directory to search in", default="."),
            regex={"type": "boolean", "default": False},
            case_sensitive={"type": "boolean", "default": False},
        ),
    ),
    ToolSpec(
        "run_command",
        "Run a shell command in the workspace.",
        schema(["command"], command=text("The command line")),
    ),
    ToolSpec(
        "get_weather",
        "Get the current weather of a city.",
        schema(["city"], city=text("City"), unit={"type": "string", "enum": ["celsius", "fahrenheit"]}),
    ),
)


def offered(tools: tuple[ToolSpec, ...] = TOOLS) -> list[Json]:
    """As a Chat request spells them."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema or {})},
        }
        for tool in tools
    ]
