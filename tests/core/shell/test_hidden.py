import shlex

import pytest

from callgate.core.shell.hidden import hidden_in
from callgate.core.shell.wrappers import name_of


def found(line: str) -> list[tuple[str, str]]:
    words = shlex.split(line)
    hidden = [(one.kind, one.text) for one in hidden_in(name_of(words), words)]
    return [one for one in hidden if one != ("file", ".")]  # the current folder


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("tar --to-command='rm x' -xf a", ("command", "rm x")),
        ("tar --to-comm 'rm x' -xf a", ("command", "rm x")),
        ("tar -cf a --checkpoint-action=exec='rm x' b", ("command", "rm x")),
        ("tar xIf zstd a.tar", ("command", "zstd")),
        ("tar -C /etc -xf a", ("file", "/etc")),
        ("tar cf /etc/a b", ("file", "/etc/a")),
        ("bsdtar --use-compress-program=x -cf a b", ("command", "x")),
        ("rsync -avze 'ssh -p 1' a b:c", ("command", "ssh -p 1")),
        ("git -c core.pager='rm x' log", ("command", "rm x")),
        ("git -c alias.a='!rm x' a", ("command", "rm x")),
        ("git -c some.setting=1 log", ("code", "some.setting=1")),
        ("git rebase -x 'make test' main", ("command", "make test")),
        ("git fetch 'ext::sh -c x'", ("code", "ext::sh -c x")),
        ("git --exec-path=/evil log", ("unknown", "/evil")),
        ("git diff --output=/etc/x", ("file", "/etc/x")),
        ("ssh -oProxyCommand='nc a 1' host", ("command", "nc a 1")),
        ("ssh -p 22 host rm -r x", ("command", "rm -r x")),
        ("vim -c '!rm x' f", ("code", "!rm x")),
        ("vim '+!rm x' f", ("code", "+!rm x")),
        ("man -P 'rm x' ls", ("command", "rm x")),
        ("sed 's/a/b/e' f", ("code", "s/a/b/e")),
        ("sed -ne p -e 'w x' f", ("code", "w x")),
        ("sed -i s/a/b/ /etc/x", ("file", "/etc/x")),
        ("gawk 'BEGIN{system(1)}'", ("code", "BEGIN{system(1)}")),
        ("awk -v a=1 -F: '{print | \"sh\"}' f", ("code", '{print | "sh"}')),
        ("python3.11 -Bc 'x'", ("code", "x")),
        ("python -W ignore -c x", ("code", "x")),
        ("perl -lne x f", ("code", "x")),
        ("node --eval=x", ("code", "x")),
        ("make SHELL=/tmp/x all", ("command", "/tmp/x")),
        ("make CFLAGS='$(shell rm x)'", ("code", "$(shell rm x)")),
        ("zip -T -TT 'rm x' a b", ("command", "rm x")),
        ("env -S 'rm x'", ("command", "rm x")),
        ("watch 'rm x; ls'", ("command", "rm x; ls")),
        ("find . -delete", ("unknown", "-delete")),
        ("find . -fprint /etc/x", ("file", "/etc/x")),
        ("bash -lc 'rm x'", ("command", "rm x")),
        ("pip install git+https://a.b/c", ("code", "git+https://a.b/c")),
        ("curl -sSLo /etc/x https://a", ("file", "/etc/x")),
        ("wget --output-document=/etc/x https://a", ("file", "/etc/x")),
        ("wget -e robots=off https://a", ("code", "robots=off")),
        ("dd if=a of=/dev/sda", ("file", "/dev/sda")),
        ("cp a b /etc", ("file", "/etc")),
        ("cp -t /etc a", ("file", "/etc")),
        ("tee -a /etc/x", ("file", "/etc/x")),
        ("sort -o /etc/x y", ("file", "/etc/x")),
        ("psql -c '\\! rm x'", ("code", "\\! rm x")),
        ("sqlite3 a.db '.shell rm x'", ("code", ".shell rm x")),
        ("deno eval 'x()'", ("code", "x()")),
        ("python -m pytest -c conf", ("code", "pytest")),
        ("python x.py -c y", ("code", "x.py")),
        ("node x.js -e y", ("code", "x.js")),
        ("make CC=gcc -j4 all", ("code", "all")),
        ("bash script.sh", ("code", "script.sh")),
        ("bash -c -x 'rm x'", ("command", "rm x")),
        ("bash -o pipefail -c ls", ("command", "ls")),
        ("pip install requests", ("unknown", "install")),
        ("xargs rm", ("unknown", "rm")),
        ("git frobnicate", ("unknown", "frobnicate")),
        ("git log --frobnicate", ("unknown", "--frobnicate")),
    ],
)
def test_what_a_program_is_told_to_run_or_write_is_found(line: str, hidden: tuple[str, str]) -> None:
    assert hidden in found(line)


@pytest.mark.parametrize(
    "line",
    [
        "tar -xzf a.tgz",
        "git log -p",
        "git -c user.name=me commit -m x",
        "git cherry-pick -x abc",
        "git clean -fdx",
        "ssh -p 22 host",
        "sed -n 1,5p f",
        "awk '{print $1}' f",
        "find . -name x",
        "curl https://a",
        "ls -l",
        "watch ls -l",
        "scp a host:b",
    ],
)
def test_what_hides_nothing_is_left_alone(line: str) -> None:
    assert found(line) == []
