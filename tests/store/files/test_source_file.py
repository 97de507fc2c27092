import json
from pathlib import Path

import pytest

from callgate.core.config.settings import SourceSettings
from callgate.core.errors import UserFault
from callgate.store.files.json_file import JsonFile
from callgate.store.files.source_file import SourceFile


def source(name: str) -> SourceSettings:
    return SourceSettings(name=name, kind="mcp", command=("x",))


def opened(tmp_path: Path) -> SourceFile:
    return SourceFile(JsonFile(tmp_path / "sources.json"))


def test_sources_and_switches_come_back_in_their_order(tmp_path: Path) -> None:
    file = opened(tmp_path)
    for name in ("a", "b", "c"):
        file.put(source(name))
    file.switch("b", False)
    file.switch("configured", True)
    assert file.remove("a") == 0
    file.put(source("a"), 0)
    file.put(SourceSettings(name="z", kind="mcp", url="http://h"), replaces="c")
    again = opened(tmp_path)
    assert [one.name for one in again.sources] == ["a", "b", "z"]
    assert (again.switched("b"), again.switched("configured"), again.switched("a")) == (False, True, None)
    assert again.problems == []


def test_an_entry_that_cannot_be_read_is_said_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "sources.json"
    odd = {"name": "odd", "kind": "mcp", "from_the_future": 1}
    path.write_text(json.dumps({"sources": [odd, {"name": "ok", "kind": "mcp", "command": ["x"]}, 7]}), "utf-8")
    file = opened(tmp_path)
    assert [one.name for one in file.sources] == ["ok"]
    assert "'odd'" in file.problems[0] and len(file.problems) == 2
    file.put(source("new"))
    assert odd in json.loads(path.read_text("utf-8"))["sources"]


def test_two_of_one_name_are_not_both_used(tmp_path: Path) -> None:
    entry = {"name": "twin", "kind": "mcp", "command": ["x"]}
    (tmp_path / "sources.json").write_text(json.dumps({"sources": [entry, entry]}), "utf-8")
    file = opened(tmp_path)
    assert len(file.sources) == 1
    assert "another one of that name" in file.problems[0]


def test_what_cannot_be_written_is_not_remembered_either(tmp_path: Path) -> None:
    (tmp_path / "sources.json").mkdir()
    file = opened(tmp_path)
    with pytest.raises(UserFault):
        file.put(source("a"))
    assert file.sources == ()
