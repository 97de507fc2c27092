import mcp_types as mcp

from callgate.core.messages import File, Image, Text
from callgate.core.tool import Annotations, Outcome, Tool
from callgate.proxy.mcp_server import write_outcome, write_part, write_tool
from callgate.tools.mcp_source.content import read_block


def test_a_tool_keeps_its_words_and_hints() -> None:
    tool = Tool(
        "t", "s", "does t", {"properties": {}}, title="T", annotations=Annotations(True, False), icons=("data:,",)
    )
    written = write_tool(tool)
    assert (written.name, written.title, written.description) == ("t", "T", "does t")
    assert written.input_schema == {"type": "object", "properties": {}}
    assert written.annotations is not None
    assert (written.annotations.read_only_hint, written.annotations.open_world_hint) == (True, None)
    assert written.icons == [mcp.Icon(src="data:,")]


def test_parts_survive_the_way_out_and_back() -> None:
    parts = (Text("a"), Image("image/png", "aGk="), File("audio/wav", "aGk="))
    assert tuple(read_block(write_part(part)) for part in parts) == parts
    file = read_block(write_part(File("application/pdf", "aGk=", name="x.pdf")))
    assert isinstance(file, File)
    assert (file.media_type, file.data) == ("application/pdf", "aGk=")


def test_what_is_elsewhere_becomes_a_link() -> None:
    link = write_part(Image("image/png", url="https://pictures.test/a.png"))
    assert isinstance(link, mcp.ResourceLink)
    assert link.uri == "https://pictures.test/a.png"


def test_an_error_stays_an_error() -> None:
    assert write_outcome(Outcome((Text("no"),), True)).is_error


def test_a_value_goes_along_where_the_tool_gave_one() -> None:
    assert write_outcome(Outcome((Text("1"),), structured={"n": 1})).structured_content == {"n": 1}
    assert write_outcome(Outcome((Text("1"),), structured=[1])).structured_content is None
