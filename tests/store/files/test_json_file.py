from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.store.files.json_file import JsonFile


def test_what_is_written_is_read_again_by_the_next_program(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "kept.json"
    assert JsonFile(path).read() is None
    JsonFile(path).write({"a": [1, None, "ü"]})
    assert JsonFile(path).read() == {"a": [1, None, "ü"]}
    assert [file.name for file in path.parent.iterdir()] == ["kept.json"]


def test_a_broken_file_is_moved_aside_and_said(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    for number in (1, 2):
        path.write_text("{ half", "utf-8")
        file = JsonFile(path)
        assert file.read() is None
        assert f"kept.json.broken-{number}" in file.problem
        assert (tmp_path / f"kept.json.broken-{number}").read_text("utf-8") == "{ half"


def test_a_file_that_cannot_be_written_is_said_and_the_old_one_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(UserFault, match="cannot be written"):
        JsonFile(tmp_path / "file" / "kept.json").write({})
    assert JsonFile(tmp_path).read() is None
