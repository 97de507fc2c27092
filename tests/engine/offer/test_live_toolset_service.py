from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.core.tool import Tool
from callgate.engine.offer.live_toolset_service import FILE_NAME, LiveToolsetService
from callgate.engine.offer.toolset_service import DeclaredToolset
from callgate.tools.toolsets import Toolsets


class Service:
    def __init__(self, tmp_path: Path) -> None:
        self.own, self.foreign = tmp_path / "own", tmp_path / "foreign"
        self.foreign.mkdir()
        tools = (Tool("read_file", "built-in"), Tool("fetch", "web"))
        self.toolsets = Toolsets([self.own, self.foreign], lambda: tools)
        self.told: list[int] = []
        self.service = LiveToolsetService(self.toolsets, self.own, lambda: self.told.append(1))


def test_a_set_is_written_at_once_usable_and_comments_stay(tmp_path: Path) -> None:
    here = Service(tmp_path)
    here.service.save(DeclaredToolset("reader", ("read_file",), "Reads"))
    assert [(one.name, one.tools) for one in here.toolsets.sets()] == [("reader", ("read_file",))]
    file = here.own / FILE_NAME
    file.write_text("// mine\n" + file.read_text("utf-8"), "utf-8")
    here.toolsets.look_again()
    here.service.save(DeclaredToolset("leser", ("read_file", "web/*"), "Reads"), "reader")
    here.service.save(DeclaredToolset("outer", ("leser",)))
    assert file.read_text("utf-8").startswith("// mine\n")
    assert {one.name: one.tools for one in here.toolsets.sets()} == {
        "leser": ("read_file", "fetch"),
        "outer": ("read_file", "fetch"),
    }
    here.service.remove("leser")
    assert [one.name for one in here.service.declared()] == ["outer"]
    assert len(here.told) == 4
    assert [path.name for path in here.own.iterdir()] == [FILE_NAME]


def test_sets_of_others_are_shown_and_not_touched(tmp_path: Path) -> None:
    here = Service(tmp_path)
    (here.foreign / "x.toolsets.jsonc").write_text('{"theirs": {"tools": ["fetch"]}}', "utf-8")
    (theirs,) = here.service.declared()
    assert not theirs.editable
    with pytest.raises(UserFault, match="change it there"):
        here.service.save(DeclaredToolset("theirs", ("read_file",)), "theirs")
    with pytest.raises(UserFault, match="change it there"):
        here.service.remove("theirs")
    with pytest.raises(UserFault, match="already a toolset"):
        here.service.save(DeclaredToolset("theirs", ("read_file",)))


def test_what_makes_no_sense_is_refused_and_a_broken_file_is_left_alone(tmp_path: Path) -> None:
    here = Service(tmp_path)
    for bad in (DeclaredToolset("no good", ("read_file",)), DeclaredToolset("empty", ())):
        with pytest.raises(UserFault):
            here.service.save(bad)
    here.own.mkdir()
    (here.own / FILE_NAME).write_text("{ half", "utf-8")
    with pytest.raises(UserFault, match="nothing was changed"):
        here.service.save(DeclaredToolset("fine", ("read_file",)))
    assert (here.own / FILE_NAME).read_text("utf-8") == "{ half"
    with pytest.raises(UserFault, match="no toolset named"):
        here.service.remove("fine")
