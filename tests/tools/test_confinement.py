import os
from pathlib import Path

import pytest

from callgate.tools.confinement import Confinement, OutsideWorkspace


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "sub").mkdir(parents=True)
    (root / "file.txt").write_text("inside", "utf-8")
    (tmp_path / "secret.txt").write_text("outside", "utf-8")
    (tmp_path / "work-beside").mkdir()
    os.symlink(tmp_path, root / "up")
    os.symlink(tmp_path / "secret.txt", root / "leak")
    os.symlink(root / "file.txt", root / "sub" / "inside-link")
    os.symlink("loop", root / "loop")
    return root


@pytest.mark.parametrize(
    "path",
    ["file.txt", "./file.txt", "sub/../file.txt", "sub", ".", "new/deep/file", "sub/inside-link", "~", "~/x", "a\nb"],
)
def test_paths_inside_the_workspace_are_resolved(workspace: Path, path: str) -> None:
    assert Confinement(workspace).resolve(path).is_relative_to(workspace.resolve())


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../secret.txt",
        "sub/../../secret.txt",
        "/etc/passwd",
        "//etc/passwd",
        "up",
        "up/secret.txt",
        "leak",
        "up/work-beside/x",
        "../work-beside",
        "sub/../../work-beside/x",
        "./../secret.txt",
        "sub/./../../secret.txt",
        "/",
        "file.txt\x00.png",
        "\x00",
        "up/../secret.txt",
        "/proc/self/root/etc/passwd",
        "/dev/../etc/passwd",
        "sub/../up/secret.txt",
    ],
)
def test_paths_that_lead_outside_are_refused(workspace: Path, path: str) -> None:
    with pytest.raises(OutsideWorkspace):
        Confinement(workspace).resolve(path)


def test_a_workspace_reached_through_a_link_is_its_real_self(workspace: Path, tmp_path: Path) -> None:
    os.symlink(workspace, tmp_path / "alias")
    confined = Confinement(tmp_path / "alias")
    assert confined.shown(confined.resolve("file.txt")) == "file.txt"
    assert confined.resolve(str(workspace / "file.txt")) == (workspace / "file.txt").resolve()


def test_what_is_closed_off_is_refused_even_inside_the_workspace(workspace: Path) -> None:
    confined = Confinement(workspace, closed=[workspace / "sub", workspace.parent])
    assert confined.resolve("file.txt") == (workspace / "file.txt").resolve()
    for path in ("sub", "sub/new", str(workspace / "sub" / "x"), "sub/../sub/y"):
        with pytest.raises(OutsideWorkspace):
            confined.resolve(path)


def test_a_held_folder_keeps_its_place_when_a_link_takes_its_name(workspace: Path, tmp_path: Path) -> None:
    confined = Confinement(workspace)
    with confined.hold(confined.resolve("sub")) as folder:
        (workspace / "sub").rename(workspace / "moved")
        os.symlink(tmp_path, workspace / "sub")
        os.close(folder.open("new.txt", os.O_WRONLY | os.O_CREAT))
    assert (workspace / "moved" / "new.txt").exists()
    assert not (tmp_path / "new.txt").exists()


def test_a_folder_that_has_become_a_link_is_not_held(workspace: Path, tmp_path: Path) -> None:
    confined = Confinement(workspace)
    place = confined.resolve("sub")
    (workspace / "sub").rename(workspace / "moved")
    os.symlink(tmp_path, workspace / "sub")
    with pytest.raises(OutsideWorkspace, match="has become a link"), confined.hold(place):
        pass
    with pytest.raises(OutsideWorkspace), confined.hold(tmp_path):
        pass
    with pytest.raises(FileNotFoundError), confined.hold(workspace / "missing"):
        pass
