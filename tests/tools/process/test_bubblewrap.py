"""The order of mounts: what comes later lies on top of what comes before."""

import shutil
from pathlib import Path

import pytest

from callgate.tools.process import bubblewrap
from callgate.tools.process.bubblewrap import Bubblewrap, Protected


def argv(tmp_path: Path, hidden: tuple[Path, ...] = (), network: bool = False, **more: object) -> list[str]:
    root = tmp_path / "data" / "work"
    root.mkdir(parents=True, exist_ok=True)
    wall = Bubblewrap("bwrap", "--unshare-user", root, hidden, network)
    return wall.argv(("make", "test"), root, **more)  # type: ignore[arg-type]


def at(words: list[str], *wanted: str) -> int:
    """Where some words stand one after the other."""
    places = [place for place in range(len(words)) if words[place : place + len(wanted)] == list(wanted)]
    assert len(places) == 1, wanted
    return places[0]


def test_what_is_hidden_lies_over_the_workspace_and_the_workspace_over_what_holds_it(tmp_path: Path) -> None:
    data, inside = tmp_path / "data", tmp_path / "data" / "work" / "keys"
    inside.mkdir(parents=True)
    held = Protected(tmp_path / "data" / "work" / ".git", 7, writable=True)
    words = argv(tmp_path, (data, inside), protected=[held])
    root = str(tmp_path / "data" / "work")
    order = [
        at(words, "--ro-bind", "/", "/"),
        at(words, "--tmpfs", str(data)),
        at(words, "--bind", root, root),
        at(words, "--bind-fd", "7", f"{root}/.git"),
        at(words, "--tmpfs", str(inside)),
        at(words, "--chdir", root),
    ]
    assert order == sorted(order)
    assert words[-2:] == ["make", "test"]


def test_the_network_is_left_only_where_it_is_wanted(tmp_path: Path) -> None:
    assert "--unshare-net" in argv(tmp_path) and "--unshare-net" not in argv(tmp_path, network=True)


def test_a_program_in_an_emptied_folder_is_shown(tmp_path: Path) -> None:
    at(argv(tmp_path, program="/tmp/tool"), "--ro-bind", "/tmp/tool", "/tmp/tool")
    assert "/usr/bin/make" not in argv(tmp_path, program="/usr/bin/make")


def test_one_that_does_not_work_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n", "utf-8")
    broken.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name, path=None: str(broken))
    wall, why = bubblewrap.find(tmp_path, (), network=False)
    assert wall is None and why == "bwrap: setting up uid map: Permission denied"


def test_one_that_is_in_the_workspace_or_missing_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_PLACES", str(tmp_path / "nowhere"))
    planted = tmp_path / "bwrap"
    planted.write_text("#!/bin/sh\n", "utf-8")
    planted.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bubblewrap.find(tmp_path, (), network=False) == (None, bubblewrap.MISSING)
    assert bubblewrap.find(Path("/"), (), network=False)[0] is None
