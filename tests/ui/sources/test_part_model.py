import time

from pytestqt.modeltest import ModelTester

from callgate.core.tool import Tool
from callgate.ui.sources.part_model import PartModel, PartRole, groups_of, packed, unpacked
from callgate.ui.theme.theme import Theme

TOOLS = (Tool("read", "files", title="Read a file"), Tool("fetch", "web"))


def test_groups_hold_what_fits_the_text(theme: Theme, qtmodeltester: ModelTester) -> None:
    model = PartModel(theme)
    qtmodeltester.check(model)
    assert model.set_groups(groups_of(TOOLS, ["mine"], ""))
    assert [group.head.member for group in model.groups] == ["", "files/*", "web/*"]
    assert not model.set_groups(groups_of(TOOLS, ["mine"], ""))
    model.set_groups(groups_of(TOOLS, ["mine"], "A FILE"))
    assert model.index_of("read").data(PartRole.MEMBER) == "read"
    assert not model.index_of("fetch").isValid()


def test_what_is_dragged_arrives_as_it_was() -> None:
    assert unpacked(packed(["a", "b/*"])) == ("a", "b/*")


def test_ten_thousand_tools_are_filled_in_without_a_stall(theme: Theme) -> None:
    tools = tuple(Tool(f"tool_{number}", f"source{number % 50}") for number in range(10_000))
    model = PartModel(theme)
    began = time.process_time()
    model.set_groups(groups_of(tools, [], "tool"))
    assert time.process_time() - began < 0.5
