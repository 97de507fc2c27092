from pathlib import Path

from callgate.core.config.settings import Settings
from callgate.runtime.build_tools import ToolRegistry
from callgate.tools.confinement import Confinement

SHOUT = {"name": "shout", "argv": ["echo", "hi"]}


def made(tmp_path: Path, **settings: object) -> ToolRegistry:
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    return ToolRegistry(Settings.model_validate(settings), Confinement(work), tmp_path / "data", [tmp_path / "sets"])


def test_all_kinds_of_sources_stand_in_one_catalog_and_a_source_can_be_left_out(tmp_path: Path) -> None:
    sources = [
        {"name": "mine", "kind": "command", "tools": [SHOUT]},
        {"name": "off", "kind": "command", "tools": [{**SHOUT, "name": "silent"}], "enabled": False},
    ]
    toolbox = made(tmp_path, sources=sources, gate={"block_tools": ["run_*"], "group_tools_above": 16})
    names = {tool.name for tool in toolbox.catalog.offered()}
    assert {"shout", "read_file"} <= names and not names & {"silent", "run_command"}
    assert toolbox.offering.conduct.most == 16
    assert list(toolbox.problems()) == []


def test_broken_files_are_said_and_moved_aside_and_the_rest_works(tmp_path: Path) -> None:
    for folder in ("data", "sets"):
        (tmp_path / folder).mkdir()
    (tmp_path / "data" / "switches.json").write_text("{ half", "utf-8")
    (tmp_path / "data" / "registered-tools.json").write_text('[{"name": "no callback"}]', "utf-8")
    (tmp_path / "sets" / "a.toolsets.jsonc").write_text('{"a": nonsense}', "utf-8")
    (tmp_path / "sets" / "b.toolsets.jsonc").write_text('{"b": {"tools": ["read_file"]}}', "utf-8")
    toolbox = made(tmp_path)
    said = [f"{where}: {problem}" for where, problem in toolbox.problems()]
    assert len(said) == 3
    assert "switches.json.broken-1" in said[0] and "can't be used any more" in said[1] and "line 1" in said[2]
    assert [one.name for one in toolbox.toolsets.sets()] == ["b"]
    assert (tmp_path / "data" / "switches.json.broken-1").exists()
