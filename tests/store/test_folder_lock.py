"""One holder at a time, whatever was left behind, and words for those who come second."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.store.folder_lock import NAME, FolderInUse, FolderLock

HOLD = """
import sys, time
from pathlib import Path
from callgate.store.folder_lock import FolderLock
lock = FolderLock(Path(sys.argv[1]))
lock.note_failing(12.5)
print("held", flush=True)
input()
"""


def test_a_second_holder_is_refused_with_the_first_ones_process(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path / "new" / "folder")
    with pytest.raises(FolderInUse, match=f"already running on .*process {os.getpid()}") as refused:
        FolderLock(tmp_path / "new" / "folder")
    assert refused.value.pid == os.getpid()
    lock.release()
    FolderLock(tmp_path / "new" / "folder").release()


def test_it_ends_with_its_process_and_tells_what_that_left_behind(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with pytest.raises(FolderInUse, match=f"process {holder.pid}"):
            FolderLock(tmp_path)
        holder.send_signal(signal.SIGKILL)
    lock = FolderLock(tmp_path)
    assert lock.left_failing == 12.5
    lock.note_failing(None)
    lock.release()
    again = FolderLock(tmp_path)
    assert again.left_failing is None
    again.release()


@pytest.mark.parametrize("left", [b"", b"\xff" * 500, b"garbage garbage", b"12 soon"])
def test_whatever_stands_in_the_file_is_for_words_only(tmp_path: Path, left: bytes) -> None:
    (tmp_path / NAME).write_bytes(left)
    lock = FolderLock(tmp_path)
    assert lock.left_failing is None
    lock.release()


def test_the_file_is_private_and_not_inherited(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600
    held = [int(link.name) for link in Path("/proc/self/fd").iterdir() if _leads_to(link, tmp_path / NAME)]
    assert held and not any(os.get_inheritable(file) for file in held)
    lock.release()


def _leads_to(link: Path, path: Path) -> bool:
    try:
        return link.readlink() == path
    except OSError:
        return False


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("keep me", "utf-8")
    (tmp_path / NAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserFault, match="cannot lock"):
        FolderLock(tmp_path)
    assert (tmp_path / "elsewhere").read_text("utf-8") == "keep me"


def test_a_folder_that_cannot_be_made_is_a_fault_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserFault, match="cannot lock"):
        FolderLock(tmp_path / "file" / "data")
