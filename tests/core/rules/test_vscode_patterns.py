import pytest

from callgate.core.calls.subject import Call
from callgate.core.calls.targets import Targets, targets_of
from callgate.core.rules.match import parse
from callgate.core.rules.vscode_patterns import (
    OUTSIDE,
    PROTECTED,
    command_condition,
    edit_condition,
    spelled_pattern,
    url_condition,
)
from callgate.core.rules.web_url import canonical_url


def edits(path: str) -> Call:
    return Call("x", "", "", targets=Targets(edits=(path,)))


@pytest.mark.parametrize(
    ("glob", "path", "approves", "holds"),
    [
        ("**/*.md", "docs/a.md", True, True),
        ("**/*.md", "a.md", True, True),
        ("src/*", "src/a/b", True, False),
        ("*.md", "docs/a.md", True, False),
        ("*.md", "docs/a.md", False, True),
        ("**/*.{lock,env}", "a/b.env", False, True),
        ("**/{a,b{c,d}}.x", "q/bd.x", True, True),
        ("[ab].x", "a.x", True, True),
        ("[!ab].x", "a.x", True, False),
        ("**/.ENV", "x/.env", False, True),
        ("**/.ENV", "x/.env", True, False),
        ("a?c", "a/c", True, False),
        ("a.b", "axb", True, False),
    ],
)
def test_globs_over_files(glob: str, path: str, approves: bool, holds: bool) -> None:
    assert parse(edit_condition(glob, approves=approves)).holds(edits(path)) is holds


@pytest.mark.parametrize("path", ["/etc/passwd", "~/x", "../x", "..", "C:/x", "a\\..\\b"])
def test_paths_that_lead_out_are_known(path: str) -> None:
    assert parse(f"edits~{spelled_pattern(OUTSIDE)}").holds(edits(path))


@pytest.mark.parametrize(
    "path", [".git/config", "a/.VSCODE/settings.json", "x.code-workspace", ".github/workflows/a.yml"]
)
def test_paths_that_run_by_themselves_are_known(path: str) -> None:
    assert parse(f"edits~{spelled_pattern(PROTECTED)}").holds(edits(path))
    assert not parse(f"edits~{spelled_pattern(PROTECTED)}").holds(edits("src/git.py"))


@pytest.mark.parametrize(
    ("pattern", "url", "approves", "holds"),
    [
        ("https://example.com", "https://example.com/a?b", True, True),
        ("https://example.com", "http://example.com/", True, False),
        ("example.com", "http://example.com/", True, True),
        ("example.com", "https://example.com.evil.com/", True, False),
        ("example.com", "https://notexample.com/", True, False),
        ("example.com", "https://example.com:8080/", True, False),
        ("example.com", "https://example.com:8080/", False, True),
        ("*.example.com", "https://a.b.example.com/", True, True),
        ("*.example.com", "https://example.com/", True, False),
        ("*.example.com", "https://example.com/", False, True),
        ("https://example.com/docs", "https://example.com/docs/a", True, True),
        ("https://example.com/docs", "https://example.com/docsx", True, False),
        ("https://example.com/docs/*", "https://example.com/docs/../secret", True, False),
        ("https://example.com/docs/*", "https://example.com/docs", True, False),
        ("https://example.com/docs*", "https://example.com/docs", True, False),
        ("https://example.com/docs*", "https://example.com/docs2/a", True, True),
        ("*.example.com", "https://notexample.com/", False, True),
        ("https://api*.corp.com", "https://api.x.corp.com/", False, True),
        ("https://api*.corp.com", "https://api.x.corp.com/", True, False),
        ("https://example.com/*/a", "https://example.com/x/a", True, True),
        ("https://example.com:*", "https://example.com:9/", True, True),
        ("*", "https://anything.com/x", True, True),
        ("*", "https://good.com@evil.com/", True, False),
        ("https://bücher.example", "https://xn--bcher-kva.example/", True, True),
        ("*://example.com", "http://EXAMPLE.com/", True, True),
    ],
)
def test_patterns_over_addresses(pattern: str, url: str, approves: bool, holds: bool) -> None:
    call = Call("x", "", "", targets=Targets(urls=(canonical_url(url),)))
    assert parse(url_condition(pattern, approves=approves)).holds(call) is holds


@pytest.mark.parametrize(
    ("key", "line", "approves", "holds"),
    [
        ("git", "git status", True, True),
        ("git", "github x", True, False),
        ("git", "git-x", True, False),
        ("git", "git-x", False, True),
        ("npm run", "npm run-script x", True, False),
        ("/^npm (test|run)/", "npm test", True, True),
        ("/^NPM/i", "npm test", True, True),
        ("./x.sh", "./xxsh", False, False),
        ("bin/x.sh", "./bin/x.sh a", True, True),
        ("bin/x.sh", "./bin/x.sh a", False, True),
        ("/usr/bin/tool", "/usr/bin/tool x", True, True),
        ("test:", "test:x", False, True),
        ("test:", "test: x", True, False),
        ("git ", "git status", True, True),
        ("git ", "git -c x", True, False),
        ("rm", "rmé", False, True),
    ],
)
def test_prefixes_and_patterns_over_commands(key: str, line: str, approves: bool, holds: bool) -> None:
    call = Call("bash", "", "", targets=targets_of("bash", f'{{"command":"{line}"}}'))
    assert parse(command_condition(key, approves=approves)).holds(call) is holds


@pytest.mark.parametrize(
    ("key", "line", "approves", "holds"),
    [
        ("/^make$/", "make", True, True),
        ("/make/", "make; rm x", True, False),
        ("make", "make x", True, False),
        ("/make/", "x; make y", False, True),
    ],
)
def test_what_approves_a_whole_line_fits_all_of_it(key: str, line: str, approves: bool, holds: bool) -> None:
    call = Call("bash", "", "", targets=targets_of("bash", f'{{"command":"{line}"}}'))
    assert parse(command_condition(key, approves=approves, whole_line=True)).holds(call) is holds


@pytest.mark.parametrize("bad", ["", " ", "/(/", "//", "/[^]/", "/a/v", "/(a)\\1/"])
def test_commands_that_cannot_be_meant_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match=r"empty|regular expression|read alike"):
        command_condition(bad, approves=False)


@pytest.mark.parametrize("bad", ["", "https://", "https://a@b", "https://a/?q", "a b.com", "\udcff.com"])
def test_addresses_that_cannot_be_meant_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match=r"empty|no address|no host"):
        url_condition(bad, approves=False)


@pytest.mark.parametrize("bad", ["", "{a", "[a", "{{{{{a}}}}}"])
def test_globs_that_cannot_be_meant_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match=r"empty|never closed|too deeply"):
        edit_condition(bad, approves=False)


def test_a_pattern_that_ends_in_a_backslash_reads_back() -> None:
    assert parse("edits~" + spelled_pattern(r"a\\")).holds(edits("a\\"))
