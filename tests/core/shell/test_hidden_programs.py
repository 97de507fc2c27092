"""What the table says of programs is true of the real ones: they run what it says they run, and write what they write.

Each line is run by a real shell, with a program that leaves a mark in the place of what is hidden.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

from callgate.core.shell import parse_command

RUN_SECONDS = 20
RUNS = [
    "tar -xf a.tar --to-command=mark",
    "tar -xf a.tar --to-comm=mark",
    "tar -cf b.tar --checkpoint=1 --checkpoint-action=exec=mark f",
    "tar -I mark -cf b.tar f",
    "tar cIf mark b.tar f",
    "awk 'BEGIN{system(\"mark\")}'",
    "awk 'BEGIN{\"mark\" | getline x}'",
    'awk \'/"/{next} {print "x" | "mark"}\' f',
    "sed '1e mark' f",
    "sed 's/.*/mark/e' f",
    "find f -exec mark {} \\;",
    "find f -exec mark {} +",
    "xargs mark < f",
    "env mark",
    "env -S 'mark a'",
    "timeout 5 mark",
    "nice -n 1 mark",
    "nohup mark",
    "setsid -w mark",
    "sh -c mark",
    "bash -ec 'true; mark'",
    "git -c core.editor=mark commit --amend",
    "git -c alias.x='!mark' x",
    "git -c core.fsmonitor=mark status",
    "git rebase --root -x mark",
    "git -c protocol.ext.allow=always ls-remote 'ext::mark x'",
    "git grep -Omark x",
    "ssh -o ProxyCommand=mark host",
    "rsync -e mark f host:f",
    "make -f Makefile SHELL=mark",
    "make -f Makefile --eval='$(shell mark)'",
    "zip -q -T -TT mark b.zip f",
    "python3 -c 'import os; os.system(\"mark\")'",
    "perl -e 'system(\"mark\")'",
    "perl -ne 'system(\"mark\")' f",
    'node -e \'require("child_process").execSync("mark")\'',
    "vim -es -c '!mark' -c 'q!' f",
    "split --filter=mark f",
    "rg --pre mark x f",
    "flock lock -c mark",
    "script -qec mark out.txt",
    "sqlite3 :memory: '.shell mark'",
]
WRITES = [
    "cp f {place}",
    "mv f {place}",
    "install f {place}",
    "ln -s f {place}",
    "tee {place} < f",
    "touch {place}",
    "mkdir {place}",
    "truncate -s 1 {place}",
    "dd if=f of={place} status=none",
    "sort -o {place} f",
    "find f -fprint {place}",
    "sed 'w {place}' f",
    "awk '{{print > \"{place}\"}}' f",
    "tar -cf {place} f",
    "tar cf {place} f",
    "curl -s -o {place} file://{here}/f",
    "curl -sSfo {place} file://{here}/f",
    "rsync f {place}",
    "git diff --no-index --output={place} f a.tar",
    "sed -i.{name} p f",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "work"
    here.mkdir()
    (here / "f").write_text("x\n", encoding="utf-8")
    (here / "Makefile").write_text("all:\n\techo x\n", encoding="utf-8")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "mark").write_text(f'#!/bin/sh\n: > "{tmp_path}/marked"\n', encoding="utf-8")
    (programs / "mark").chmod(0o755)
    subprocess.run(["tar", "-cf", "a.tar", "f"], cwd=here, check=True)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], cwd=here, check=True)
    subprocess.run([*git, "add", "f"], cwd=here, check=True)
    subprocess.run([*git, "commit", "-qm", "x"], cwd=here, check=True)
    return here


def run(line: str, folder: Path) -> None:
    program = line.split()[0]
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program} here")
    environment = {
        "PATH": f"{folder.parent / 'bin'}:/usr/bin:/bin",
        "HOME": str(folder.parent),
        "TERM": "dumb",
        **{f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=RUN_SECONDS,
        check=False,
    )


def must_be_allowed(line: str) -> list[str]:
    """What a rule for the command alone would not allow."""
    parsed = parse_command(line, "/w")
    return [*(one.argv_text for part in parsed.parts for one in part.inner), *parsed.concerns]


@pytest.mark.parametrize("line", RUNS)
def test_what_really_runs_something_else_is_said_to(line: str, folder: Path) -> None:
    assert must_be_allowed(line), line
    run(line, folder)
    assert (folder.parent / "marked").exists()


@pytest.mark.parametrize("line", WRITES)
def test_what_really_writes_elsewhere_is_said_to(line: str, folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "elsewhere"
    line = line.format(place=place, here=folder, name="bak")
    if line.startswith("sed -i"):
        line = line.replace(" f", f" {tmp_path}/f")
        (tmp_path / "f").write_text("x\n", encoding="utf-8")
        place = tmp_path / "f.bak"
    assert must_be_allowed(line), line
    run(line, folder)
    assert place.exists() or place.is_symlink(), line
