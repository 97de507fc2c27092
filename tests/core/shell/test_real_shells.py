"""What real shells run of a line that has no concern is exactly what was said: random lines, real programs."""

import random
import subprocess
from pathlib import Path

import pytest

from callgate.core.shell import parse_command
from callgate.core.shell.wrappers import wrapped

TOKENS = (
    *("aa ", "bb ", "aa", "bb", "-x", " ", " ", "\t", "\n", ";", "&&", "||", "|", "&", "(", ")", "{ ", "; }", "! "),
    *("'", '"', "\\", "\\\n", "'q r'", '"q r"', "\\ ", "#", "=", "A=1", "<", ">", ">o", "2>&1", "1>o", "22>&1", "&>o"),
    *("`", "$(", "if", "then", "fi", "done", "[ -f x ]", "]]", "{a,b}", "x/../y", "time ", "|&", ";;", "<(", "é", "2"),
    *(
        "$'",
        "exec ",
        "command ",
        "builtin ",
        "!aa",
        "$(aa)",
        "<<E\n",
        "\nE\n",
        "aa()",
        "'\\''",
        "''",
        "(aa)",
        "aa\\\nbb",
    ),
)
LINES = 400
"""Random lines, of which about one in four has no concern and is run."""
RUN_SECONDS = 5
END = "=end="


def is_installed(shell: str) -> bool:
    return Path(shell).exists()


@pytest.mark.parametrize(
    "shell",
    [
        pytest.param(shell, marks=pytest.mark.skipif(not is_installed(shell), reason=f"there is no {shell} here"))
        for shell in ("/bin/sh", "/bin/bash")
    ],
)
def test_a_line_without_concern_runs_only_the_commands_that_were_found(shell: str, tmp_path: Path) -> None:
    programs, folder, log = tmp_path / "bin", tmp_path / "work", tmp_path / "log"
    programs.mkdir()
    folder.mkdir()
    for name in ("aa", "bb"):
        # one write each: the two ends of a pipe run at the same time
        script = f'#!/bin/sh\nprintf "%s\\036" {name} "$@" {END} >> {log}\n'
        (programs / name).write_text(script, encoding="utf-8")
        (programs / name).chmod(0o755)
    chance = random.Random(shell)
    ran = 0
    for _ in range(LINES):
        line = "aa " + "".join(chance.choice(TOKENS) for _ in range(chance.randint(1, 8)))
        parsed = parse_command(line)
        if parsed.concerns:
            continue
        log.write_bytes(b"")
        subprocess.run(
            [shell, "-c", line],
            cwd=folder,
            env={"PATH": str(programs), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=RUN_SECONDS,
            check=False,
        )
        found = {part.words for part in parsed.parts}
        found |= {tuple(inner) for words in set(found) for inner in wrapped(words)}
        for record in log.read_text("utf-8").split(f"{END}\x1e")[:-1]:
            assert tuple(record.split("\x1e")[:-1]) in found, line
            ran += 1
    assert ran > LINES / 20
