import pytest

from callgate.core.shell.wrappers import changes_folder, execution_concern, is_wrapper, name_of, wrapped


@pytest.mark.parametrize(
    ("line", "inner"),
    [
        ("sudo rm x", ["rm x"]),
        ("sudo -u root rm x", ["root rm x", "rm x"]),
        ("sudo env A=1 nice -n 5 rm x", ["env A=1 nice -n 5 rm x", "nice -n 5 rm x", "rm x"]),
        ("xargs -I{} rm {}", ["rm {}"]),
        ("find . -name a -exec rm b -ok ls c", ["rm b -ok ls c", "ls c"]),
        ("find . -exec rm {} ; -exec ls + -print", ["rm {}", "ls"]),
        ("env -i rm x", ["rm x"]),
        ("xargs -0 -n 1 rm x", ["rm x"]),
        ("sudo -u bob -- rm x", ["rm x"]),
        ("command -v rm", []),
        ("grep rm x", []),
        ("npx -y prettier .", ["prettier ."]),
        ("npm exec -- prettier .", ["prettier ."]),
        ("npm test", []),
        ("uv tool run ruff check", ["ruff check"]),
        ("docker run --rm -it ubuntu rm x", ["ubuntu rm x", "rm x"]),
        ("docker exec web rm x", ["web rm x", "rm x"]),
        ("docker ps", []),
        ("git submodule foreach rm x", ["rm x"]),
        ("sudo", []),
    ],
)
def test_what_a_wrapper_runs_is_seen(line: str, inner: list[str]) -> None:
    found = [" ".join(words) for words in wrapped(line.split())]
    assert [text for text in dict.fromkeys(found) if text in inner] == inner
    assert inner or not found


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("eval x", True),
        ("trap x EXIT", True),
        ("bash -lc x", False),
        ("bash", True),
        ("bash -x", True),
        ("bash script.sh", False),
        ("bash --version", False),
        ("/bin/sh -s", True),
        ("python x.py", False),
        ("done", True),
        ("tcsh -c x", True),
        ("rbash -c x", True),
        ("bash -c -x ls", False),
        ("bash -o pipefail -c ls", False),
        ("su -c x", False),
        ("su bob", False),
        ("env -S x", False),
        ("env X=1 ls", True),
        ("env -u X Y=1 ls", True),
        ("env ls X=1", False),
        ("sudo PATH=/evil ls", True),
        ("sudo -s", True),
        ("sudo -n ls -s", False),
        ("printf -v PATH x", True),
        ("printf %s x", False),
        ("read PATH", True),
        ("mapfile x", True),
        ("let x=1", True),
        ("hash -p /evil ls", True),
        ("hash -r", False),
        ("enable -f x.so y", True),
        ("jobs -x rm", True),
        ("jobs", False),
        ("set -euo pipefail", False),
        ("set -e", False),
        ("set -- a b", True),
        ("set -o allexport", True),
        ("test -v a[$(rm)]", True),
        ("test -f a[1]", False),
        ("python", True),
        ("python3 -", True),
        ("python3 --version", False),
        ("python -m pytest", False),
        ("git -c core.pager=x log", False),
        ("git --exec-path=/evil log", False),
        ("git log -n 5", False),
    ],
)
def test_what_runs_text_is_a_concern(line: str, is_one: bool) -> None:
    assert bool(execution_concern(line.split())) is is_one


def test_names_are_told_without_their_folder() -> None:
    assert name_of(["/usr/bin/rm"]) == "rm" and name_of([]) == ""
    assert changes_folder(["cd", "x"]) and not changes_folder(["ls"])
    assert changes_folder(["builtin", "cd", "/"]) and changes_folder(["command", "-p", "cd", "/"])
    assert is_wrapper("timeout") and is_wrapper("ld.so") and not is_wrapper("ls")
