import pytest

from callgate.core.calls.subject import Call
from callgate.core.calls.targets import targets_of
from callgate.core.rules.match import parse
from callgate.store.rule_import.claude_paths import (
    allowed_edits,
    allowed_reads,
    names_everything,
    read_path,
    restricted,
    restricted_commands,
)


@pytest.mark.parametrize(
    ("pattern", "anchor", "anywhere"),
    [
        ("//etc/x", "root", False),
        ("~/x", "home", False),
        ("/x", "settings", False),
        ("./x", "work", False),
        ("a/b", "work", False),
        ("x", "work", True),
        ("x/", "work", True),
    ],
)
def test_the_beginning_says_where_from(pattern: str, anchor: str, anywhere: bool) -> None:
    path = read_path(pattern)
    assert (path.anchor, path.anywhere) == (anchor, anywhere)


@pytest.mark.parametrize(
    ("bad", "says"), [("!x", "takes back"), ("~you/x", "whose home"), ("//", "everything"), ("a[b", "set of letters")]
)
def test_what_cannot_be_said_says_why(bad: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_path(bad).regex()


def test_what_allows_needs_to_know_the_folder() -> None:
    with pytest.raises(ValueError, match="which folder the agent works in"):
        allowed_reads("path", "./x", "", anchored=False)
    with pytest.raises(ValueError, match=r"spelled with \./ it would be"):
        allowed_edits("/x", anchored=False)
    with pytest.raises(ValueError, match="agent's home"):
        allowed_edits("~/x", anchored=True)


def test_escaped_signs_are_meant_as_they_are() -> None:
    when = parse(allowed_reads("p", r"//a/\[x\]/{b}", "", anchored=False))
    assert when.holds(Call("t", "", "", arguments='{"p":"/a/[x]/{b}"}'))
    assert not when.holds(Call("t", "", "", arguments='{"p":"/a/x/b"}'))


def test_what_restricts_counts_wherever_the_folders_are() -> None:
    when = parse(restricted("args.p", "/Secrets/*"))
    for path in ("/any/secrets/a", "secrets/a/b", "/x/../y"):
        assert when.holds(Call("t", "", "", arguments=f'{{"p":"{path}"}}')), path
    assert not when.holds(Call("t", "", "", arguments='{"p":"/any/secretsx"}'))


@pytest.mark.parametrize(
    ("pattern", "inside"),
    [
        ("//home/me/app/keys/**", "keys/a"),
        ("//home/*/app/keys", "keys"),
        ("//**/keys/*", "keys/a"),
        ("//home/me/", "anything"),
        ("~/app/keys/", "keys/a"),
        ("/me/app/keys", "keys/deep/a"),
    ],
)
def test_what_restricts_from_above_the_workspace_counts_for_paths_within_it(pattern: str, inside: str) -> None:
    call = Call(
        "t", "", "", arguments=f'{{"p":"{inside}"}}', targets=targets_of("bash", f'{{"command":"rm {inside}"}}')
    )
    assert parse(restricted("args.p", pattern, "/home/me/app")).holds(call)
    assert parse(restricted_commands(pattern, "/home/me/app", only_changes=True)).holds(call)
    other = Call("t", "", "", arguments='{"p":"other/a"}', targets=targets_of("bash", '{"command":"rm other/a"}'))
    if "keys" in pattern:
        assert not parse(restricted("args.p", pattern, "/home/me/app")).holds(other)
        assert not parse(restricted_commands(pattern, "/home/me/app", only_changes=True)).holds(other)


def test_where_the_settings_belong_to_the_workspace_nothing_is_read_into_its_name() -> None:
    call = Call("t", "", "", arguments='{"p":"other/a"}')
    assert not parse(restricted("args.p", "/app/**", "/home/me/app", anchored=True)).holds(call)


@pytest.mark.parametrize(
    ("line", "reads", "changes"),
    [("cat a/x.key", True, False), ("tee x.key", True, True), ("ls >x.key", True, True), ("cat x.keys", False, False)],
)
def test_commands_that_name_such_a_path(line: str, reads: bool, changes: bool) -> None:
    call = Call("bash", "", "", targets=targets_of("bash", f'{{"command":"{line}"}}'))
    assert parse(restricted_commands("*.key", only_changes=False)).holds(call) is reads
    assert parse(restricted_commands("*.key", only_changes=True)).holds(call) is changes


def test_patterns_for_everything_are_known() -> None:
    assert all(map(names_everything, ("*", "**", "./**", "//**", "**/*")))
    assert not names_everything("*.py")
