import mcp_types as mcp

from callgate.tools.mcp_source.definitions import read_listing
from callgate.tools.mcp_source.sanitise import Unusable

OBJECT = {"type": "object"}


def test_the_title_comes_from_the_hints_where_there_is_no_other() -> None:
    hinted = mcp.Tool(name="a", input_schema=OBJECT, annotations=mcp.ToolAnnotations(title="From hints"))
    titled = mcp.Tool(name="b", title="Own", input_schema=OBJECT, annotations=mcp.ToolAnnotations(title="From hints"))
    assert [tool.title for tool in read_listing("s", [hinted, titled]).tools] == ["From hints", "Own"]


def test_a_schema_that_points_elsewhere_is_never_fetched() -> None:
    far = mcp.Tool(name="far", input_schema={"type": "object", "$ref": "http://127.0.0.1:1/schema.json"})
    listing = read_listing("s", [far])
    assert not listing.tools[0].enabled
    assert listing.tools[0].schema == {}
    assert "127.0.0.1" in listing.problems[0].reason


def test_an_output_schema_that_cannot_be_used_is_only_ignored() -> None:
    tool = mcp.Tool(name="t", input_schema=OBJECT, output_schema={"type": "nonsense"})
    listing = read_listing("s", [tool])
    assert listing.tools[0].enabled
    assert listing.tools[0].output_schema is None
    assert "output schema can't be used" in listing.problems[0].reason


def test_what_was_taken_out_is_listed_but_not_enabled() -> None:
    listing = read_listing("s", [], [Unusable("x", "no schema", "about x"), Unusable("", "no name")])
    (tool,) = listing.tools
    assert (tool.name, tool.enabled, tool.description) == ("x", False, "about x")
    assert [str(problem) for problem in listing.problems] == ["x: no schema", "a tool without a name: no name"]
