"""What a policy of Landlock allows: everything but what is hidden, by the largest trees."""

import json
import os
from pathlib import Path

import pytest

from callgate.tools.process import landlock as landlock_module
from callgate.tools.process.landlock import Landlock


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for folder in (".ssh", ".config/app", ".config/gh", "other", "work/sub", "work/keys"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / ".ssh")
    return tmp_path


def policy(wall: Landlock, private: Path) -> dict[str, list[str]]:
    _, descriptor = wall.argv(("true",), private, "/opt/tool")
    with os.fdopen(descriptor, "rb") as stream:
        return json.load(stream)


def test_what_lies_beside_the_hidden_is_allowed(
    home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landlock_module, "_NEVER_READ", ("/dev",))
    hidden = (home / ".ssh", home / ".config" / "gh", home / "work" / "keys")
    wall = Landlock(home / "work", hidden, network=False, version=7)
    said = policy(wall, tmp_path_factory.mktemp("private"))
    inside = {Path(path).relative_to(home).as_posix() for path in said["read"] if path.startswith(f"{home}/")}
    assert inside == {".config/app", "other"}, "neither what is hidden nor what holds it, and no link"
    assert {"/usr", "/etc", "/opt/tool"} <= {*said["read"]} and "/" not in said["read"] and "/dev" not in said["read"]
    assert f"{home}/work/sub" in said["write"] and f"{home}/work" not in said["write"]
    assert said["tcp"] is False and wall.limits_network


def test_a_workspace_without_anything_hidden_is_writable_as_a_whole(home: Path, tmp_path: Path) -> None:
    wall = Landlock(home / "work", (home / ".ssh",), network=True, version=3)
    said = policy(wall, tmp_path)
    assert said["write"][0] == f"{home}/work" and said["tcp"] is True and not wall.limits_network


def test_an_old_kernel_is_said_not_to_limit_the_network(home: Path) -> None:
    assert not Landlock(home, (), network=False, version=3).limits_network
