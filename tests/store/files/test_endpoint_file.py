import json
from pathlib import Path

import pytest

from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import UserFault
from callgate.store.files.endpoint_file import EndpointFile
from callgate.store.files.json_file import JsonFile


def open_file(folder: Path) -> EndpointFile:
    return EndpointFile(JsonFile(folder / "endpoints.json"))


def endpoint(name: str) -> UpstreamSettings:
    return UpstreamSettings(name=name, wire=("openai-chat",), base_url="http://127.0.0.1:1/v1", key="keyring")


def write(folder: Path, content: object) -> None:
    (folder / "endpoints.json").write_text(json.dumps(content), "utf-8")


def test_what_is_saved_is_there_again_in_its_order(tmp_path: Path) -> None:
    open_file(tmp_path).save([endpoint("b"), endpoint("a")])
    again = open_file(tmp_path)
    assert again.endpoints == (endpoint("b"), endpoint("a"))
    assert (again.problems, again.has_unreadable) == ([], False)


def test_without_a_file_there_is_nothing(tmp_path: Path) -> None:
    file = open_file(tmp_path)
    assert (file.endpoints, file.problems) == ((), [])
    assert not (tmp_path / "endpoints.json").exists()


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"name": "x", "wire": "telex", "base_url": "http://x"}, "wire.0"),
        ({"name": "x", "wire": "gemini"}, "base_url is missing"),
        ({"name": "x", "wire": "gemini", "base_url": "http://x", "key": "sk-secret-123456"}, "key:"),
        ({"name": "x", "wire": "gemini", "base_url": "http://x", "colour": "red"}, "colour"),
        ({"name": "good", "wire": "gemini", "base_url": "http://x"}, "another one of that name"),
        ("just text", "An endpoint can't be used"),
    ],
)
def test_an_entry_that_cannot_be_read_is_said_and_kept(tmp_path: Path, entry: object, why: str) -> None:
    good = {"name": "good", "wire": "openai-chat", "base_url": "http://127.0.0.1:1/v1", "key": "keyring"}
    write(tmp_path, {"endpoints": [good, entry]})
    file = open_file(tmp_path)
    assert [one.name for one in file.endpoints] == ["good"] and file.has_unreadable
    (problem,) = file.problems
    assert why in problem and "sk-secret" not in problem
    file.save([endpoint("other")])
    kept = json.loads((tmp_path / "endpoints.json").read_text("utf-8"))["endpoints"]
    assert [one["name"] if isinstance(one, dict) else one for one in kept] == [
        "other",
        entry["name"] if isinstance(entry, dict) else entry,
    ]


def test_a_file_of_another_shape_is_said_and_kept(tmp_path: Path) -> None:
    write(tmp_path, ["what", "is", "this"])
    file = open_file(tmp_path)
    assert "no list of endpoints" in file.problems[0]
    file.save([endpoint("a")])
    assert ["what", "is", "this"] in json.loads((tmp_path / "endpoints.json").read_text("utf-8"))["endpoints"]


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "endpoints.json").mkdir()
    file = open_file(tmp_path)
    with pytest.raises(UserFault, match="cannot be written"):
        file.save([endpoint("a")])
    assert file.endpoints == ()
