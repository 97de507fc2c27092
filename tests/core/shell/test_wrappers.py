import pytest

from callgate.core.shell.wrappers import changes_folder, execution_concern, name_of, wrapped


@pytest.mark.parametrize(
    ("line", "inner"),
    [
        ("sudo rm x", ["rm x"]),
        ("sudo -u root rm x", ["root rm x", "rm x"]),
        ("sudo env A=1 nice -n 5 rm x", ["env A=1 nice -n 5 rm x", "nice -n 5 rm x", "rm x"]),
        ("xargs -I{} rm {}", ["rm {}"]),
        ("find . -name a -exec rm b -ok ls c", ["rm b -ok ls c", "ls c"]),
        ("grep rm x", []),
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
        ("bash -lc x", True),
        ("bash", True),
        ("bash -x", True),
        ("bash script.sh", False),
        ("bash --version", False),
        ("/bin/sh -s", True),
        ("python x.py", False),
        ("done", True),
    ],
)
def test_what_runs_text_is_a_concern(line: str, is_one: bool) -> None:
    assert bool(execution_concern(line.split())) is is_one


def test_names_are_told_without_their_folder() -> None:
    assert name_of(["/usr/bin/rm"]) == "rm" and name_of([]) == ""
    assert changes_folder(["cd", "x"]) and not changes_folder(["ls"])
