"""No verdict on a command line is wider than the truth: what a rule on the program allows runs in a sandbox.

Lines are put together from the tables, from what the real programs say of their options, and from values that an
attacker would choose. Each line that a rule such as `git *` allows is run by a real `sh` under bubblewrap. It must not
run the program that stands in the place of an attacker's, nor write outside the workspace, nor change a guarded file.

CALLGATE_FUZZ = how many lines are judged; CALLGATE_FUZZ_SEED = which ones.
"""

import os
import random
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import orjson
import pytest

from callgate.core.calls.subject import Call
from callgate.core.calls.targets import targets_of
from callgate.core.rules.policy import Policy, Rule
from callgate.core.shell.program_table import Command, Option, table_of

LINES = int(os.environ.get("CALLGATE_FUZZ", "250"))
SEED = os.environ.get("CALLGATE_FUZZ_SEED", "command lines")
BATCH = 60
LINE_SECONDS = 1
BATCH_SECONDS = 240
PROGRAMS = (
    *("git", "git", "git", "git", "tar", "tar", "cp", "mv", "rm", "ln", "install", "tee", "touch", "mkdir", "truncate"),
    *("split", "csplit", "sort", "uniq", "shuf", "gzip", "bzip2", "xz", "zstd", "base64", "dd", "find", "sed", "sed"),
    *("awk", "env", "nice", "timeout", "nohup", "xargs", "zip", "unzip", "patch", "diff", "openssl", "make", "jq"),
    *("curl", "wget", "chmod", "rmdir", "mktemp", "shred", "stdbuf", "rsync", "ssh", "scp", "perl", "python3", "bash"),
)
VALUES = (
    *("f", "g", "sub", "sub/h", "new", "new/x", ".", "-", "a.tar", "a.zip", "f.gz", "p.diff", "Makefile", "evil.sh"),
    *(
        "../out/x",
        "/out/x",
        "/out",
        "..",
        "~/x",
        "/home/u/.profile",
        "/out/../w/new",
        "sub/../../out/x",
        "link/x",
        "link",
    ),
    *(".git/config", ".git/hooks/pre-commit", ".git/hooks", ".git", ".vscode/tasks.json", ".vscode", ".envrc"),
    *("mark", "mark a", "./evil.sh", "sh evil.sh", "!mark", "exec=mark", "/stubs/mark", "|mark", "ext::mark x"),
    *("alias.x=!mark", "core.pager=mark", "core.fsmonitor=mark", "core.hooksPath=/stubs", "user.name=me", "core.pager"),
    *("alias.x", "x", "user.name", "include.path=../out/c", "diff.external=mark", "core.worktree=/out"),
    *(
        "HEAD",
        "main",
        "HEAD~1",
        "origin",
        "--",
        "1",
        "5",
        "x",
        "s/x/y/",
        "s/x/y/w ../out/y",
        "1e mark",
        "w ../out/z",
        "p",
    ),
    *(
        'BEGIN{system("mark")}',
        '{print > "../out/a"}',
        "{print $1}",
        "*",
        "*.txt",
        "?",
        "of=../out/d",
        "if=f",
        "of=new",
    ),
    *(
        "file:///w/f",
        "755",
        "+x",
        "SHELL=mark",
        "all",
        "CC=gcc",
        "{}",
        ";",
        "/x/",
        "xvf",
        "cf",
        "xPf",
        "SHELL=/stubs/mark",
    ),
)
"""What stands in the place of files, commands, settings and names."""
GUARDED = (".git/hooks/pre-commit", ".vscode/tasks.json", ".envrc")
DRIVER = """
for line in /lines/*; do
    find /w /out /home/u -mindepth 1 -delete
    cp -a /seed/. /w/; cp -a /around/out/. /out/; cp -a /around/home/. /home/u/; rm -f /ran/marked
    cd /w
    timeout -k 1 {seconds} sh "$line" < /dev/null > /dev/null 2>&1
    cd /
    [ ! -e /ran/marked ] || echo "$line ran the program" >> /ran/found
    diff -r --no-dereference /around/out /out > /dev/null 2>&1 || echo "$line wrote outside the workspace" >> /ran/found
    diff -r --no-dereference /around/home /home/u > /dev/null 2>&1 || echo "$line wrote to the home" >> /ran/found
    for guarded in {guarded}; do
        [ ! -e "/w/$guarded" ] || cmp -s "/seed/$guarded" "/w/$guarded" || echo "$line changed $guarded" >> /ran/found
    done
    ! grep -qsE 'mark|/out|evil' /w/.git/config || echo "$line changed .git/config" >> /ran/found
done
echo done >> /ran/end
"""


def is_allowed(line: str, program: str) -> bool:
    arguments = orjson.dumps({"command": line}).decode()
    call = Call("bash", "", "", arguments=arguments, targets=targets_of("bash", arguments, root="/w"))
    return Policy([Rule("allow", "bash", when=f"command:'{program} *'")]).judge(call, 0).kind == "allow"


@cache
def options_of_the_program(*words: str) -> tuple[str, ...]:
    """What the real program says of its options, whether or not the table knows them."""
    wants = ["-h"] if words[0] == "git" and len(words) > 1 else ["--help"]
    ran = subprocess.run(
        [*words, *wants], capture_output=True, text=True, timeout=20, check=False, stdin=subprocess.DEVNULL
    )
    return tuple(dict.fromkeys(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", ran.stdout + ran.stderr)))[:200]


class Lines:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def line(self, program: str) -> str:
        table = table_of(program)
        assert table is not None
        words, command = [program], table
        if command.known and self._chance.random() < 0.1:
            words += self._option(words, command)
        while command.commands and (command is table or self._chance.random() < 0.8):
            name = self._chance.choice(sorted(command.commands))
            words.append(name)
            command = command.commands[name]
        for _ in range(self._chance.choice((0, 1, 1, 2, 3))):
            words += self._option(words[:1] + [word for word in words[1:2] if program == "git"], command)
        words += (self._value() for _ in range(self._chance.choice((0, 1, 1, 2, 2, 3))))
        if len(words) > 2 and self._chance.random() < 0.15:
            at = self._chance.randrange(1, len(words))
            words[at:] = self._chance.sample(words[at:], len(words) - at)
        return " ".join(map(self._quoted, words))

    def _option(self, words: Sequence[str], command: Command) -> list[str]:
        heard = options_of_the_program(*words) if self._chance.random() < 0.4 else ()
        if heard:
            name = self._chance.choice(heard)
            what = command.known.get(name, Option("harmless", "value" if self._chance.random() < 0.5 else "flag"))
        elif command.known:
            # what is harmless by the table is what a wrong table would get wrong
            name, what = self._chance.choice(sorted(command.known.items()))
        else:
            return []
        if name.startswith("--") and self._chance.random() < 0.15:
            name = name[: self._chance.randrange(3, len(name) + 1)]
        if what.arity == "flag" and self._chance.random() < 0.9:
            return [name]
        value = self._value()
        if name.startswith("--") and (what.arity == "optional" or self._chance.random() < 0.5):
            return [f"{name}={value}"]
        return [name, value] if self._chance.random() < 0.7 else [f"{name}{value}"]

    def _value(self) -> str:
        return self._chance.choice(VALUES)

    def _quoted(self, word: str) -> str:
        return word if word in ("*", "*.txt", "?", "~/x") else shlex.quote(word)


def run(*words: str, folder: Path) -> None:
    subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=60)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with a repository, what lies around it, and programs that leave a mark."""
    seed = tmp_path / "seed"
    for name in ("seed/sub", "seed/.vscode", "out", "home", "stubs", "around/out", "around/home", "work", "ran"):
        (tmp_path / name).mkdir(parents=True)
    for name, text in {
        "f": "x\n",
        "g": "x y\nx y\n",
        "a.txt": "a\n",
        "sub/h": "h\n",
        ".envrc": "e\n",
        ".vscode/tasks.json": "{}\n",
        "Makefile": "all:\n\tmark\n",
        "evil.sh": "#!/bin/sh\nmark\n",
        "p.diff": "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n",
    }.items():
        (seed / name).write_text(text, encoding="utf-8")
    (seed / "evil.sh").chmod(0o755)
    # the names that a shell makes of `*`, as an attacker would choose them
    (seed / "--checkpoint-action=exec=mark").write_text("", encoding="utf-8")
    (seed / "-e mark").write_text("", encoding="utf-8")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    run("git", "-c", "init.defaultBranch=main", "init", "-q", "--template=", folder=seed)
    run("git", "add", "f", "g", "sub", folder=seed)
    run(*git, "commit", "-qm", "one", folder=seed)
    (seed / "g").write_text("z\n", encoding="utf-8")
    run(*git, "commit", "-qam", "two", folder=seed)
    run("tar", "-cf", "a.tar", "f", "g", folder=seed)
    run("gzip", "-k", "f", folder=seed)
    (seed / ".git" / "hooks").mkdir()
    (seed / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    (tmp_path / "around" / "out" / "kept").write_text("k\n", encoding="utf-8")
    (tmp_path / "around" / "home" / ".profile").write_text("p\n", encoding="utf-8")
    for name, text in {
        "mark": ": > /ran/marked",
        "vi": "exit 0",
        "editor": "exit 0",
        "less": "exit 0",
        "ssh": "exit 1",
    }.items():
        stub = tmp_path / "stubs" / name
        stub.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        stub.chmod(0o755)
    return tmp_path


def sandboxed(place: Path, lines: Sequence[str]) -> list[str]:
    """What went wrong, with the line that did it."""
    folder = place / "lines"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for number, line in enumerate(lines):
        (folder / f"{number:04}").write_text(f"{line}\n", encoding="utf-8")
    for name in ("found", "end"):
        (place / "ran" / name).unlink(missing_ok=True)
    binds = [("seed", "/seed"), ("stubs", "/stubs"), ("around", "/around"), ("lines", "/lines")]
    writable = [("work", "/w"), ("out", "/out"), ("home", "/home/u"), ("ran", "/ran")]
    system = [part for part in ("/usr", "/bin", "/lib", "/lib64", "/etc", "/sbin") if Path(part).exists()]
    subprocess.run(
        [
            *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"),
            *("--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"),
            *(word for part in system for word in ("--ro-bind", part, part)),
            *(word for name, inside in binds for word in ("--ro-bind", str(place / name), inside)),
            *(word for name, inside in writable for word in ("--bind", str(place / name), inside)),
            *("--setenv", "PATH", "/stubs:/usr/bin:/bin", "--setenv", "HOME", "/home/u", "--setenv", "TERM", "dumb"),
            *("--setenv", "GIT_AUTHOR_NAME", "a", "--setenv", "GIT_AUTHOR_EMAIL", "a@b"),
            *("--setenv", "GIT_COMMITTER_NAME", "a", "--setenv", "GIT_COMMITTER_EMAIL", "a@b"),
            *("sh", "-c", DRIVER.format(seconds=LINE_SECONDS, guarded=" ".join(GUARDED))),
        ],
        check=False,
        capture_output=True,
        timeout=BATCH_SECONDS,
    )
    assert (place / "ran" / "end").exists(), "the sandbox did not come to its end"
    found = place / "ran" / "found"
    said = found.read_text("utf-8").splitlines() if found.exists() else []
    return [f"{lines[int(one.split()[0].rpartition('/')[2])]}   →   {one.partition(' ')[2]}" for one in said]


def needs_bubblewrap() -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("there is no bubblewrap (bwrap) here")
    tried = subprocess.run(
        ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], check=False, capture_output=True, timeout=20
    )
    if tried.returncode:
        pytest.skip(f"bubblewrap cannot make a sandbox here: {tried.stderr.decode().strip()}")


def test_the_sandbox_sees_what_attackers_do(place: Path) -> None:
    needs_bubblewrap()
    attacks = ["git config alias.x '!mark' && git x", "cp f ../out/x", "tee ~/x < f", "cp f .envrc", "git status"]
    found = sandboxed(place, attacks)
    assert {one.partition("   →   ")[0] for one in found} == set(attacks[:4])


@pytest.mark.timeout(7200 if LINES > 2000 else 120)
def test_what_a_rule_on_a_program_allows_neither_runs_nor_writes_more(place: Path) -> None:
    needs_bubblewrap()
    chance = random.Random(SEED)
    installed = [program for program in PROGRAMS if shutil.which(program)]
    lines = Lines(chance)
    allowed: list[str] = []
    for _ in range(LINES):
        program = chance.choice(installed)
        line = lines.line(program)
        if is_allowed(line, program):
            allowed.append(line)
    assert len(allowed) > LINES // 20
    found: list[str] = []
    for start in range(0, len(allowed), BATCH):
        found += sandboxed(place, allowed[start : start + BATCH])
    print(f"{LINES} lines, {len(allowed)} allowed and run")
    assert not found, "\n".join(found)
