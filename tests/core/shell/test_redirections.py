import pytest

from callgate.core.shell.reading import redirection_concern
from callgate.core.shell.words import Word


@pytest.mark.parametrize(
    ("path", "operator", "root", "moves", "says"),
    [
        ("out.txt", ">", "/w", False, ""),
        ("a/b.txt", ">>", "", False, ""),
        ("/w/out.txt", ">", "/w/", False, ""),
        ("/dev/null", ">", "", True, ""),
        ("1", ">&", "", False, ""),
        ("-", "<&", "", False, ""),
        ("file", ">&", "", True, "change of folder"),
        ("/w2/x", ">", "/w", False, "out of the workspace"),
        ("/w/../x", ">", "/w", False, "out of the workspace"),
        ("a/../../x", "<", "/w", False, "out of the workspace"),
        ("~/x", ">", "/w", False, "out of the workspace"),
        ("/dev/tcp/1.2.3.4/80", ">", "/w", False, "out of the workspace"),
        (".bashrc", ">", "/w", False, "hidden"),
        ("/w/.git/hooks/x", ">", "/w", False, "hidden"),
        ("x", ">", "/w", True, "change of folder"),
    ],
)
def test_only_what_stays_in_the_workspace_needs_nobody(
    path: str, operator: str, root: str, moves: bool, says: str
) -> None:
    concern = redirection_concern(Word(path, path), operator, root, moves=moves)
    assert says in concern if says else concern == ""


def test_a_place_that_is_known_only_later_needs_somebody() -> None:
    assert "known only when it runs" in redirection_concern(Word("$X", "$X", False), ">", "/w", moves=False)
