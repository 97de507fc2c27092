from pathlib import Path

import pytest

from callgate.core.calls.targets import Targets, targets_of
from callgate.core.rules.guarded_files import GuardedFiles
from callgate.core.rules.policy import Call, Policy, Rule
from callgate.tools.links import through_absolute_links, through_links


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    (root / "src").mkdir(parents=True)
    (root / ".git/hooks").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "src/hook").symlink_to("../.git/hooks/pre-commit")
    (root / "src/alias.txt").symlink_to("real.txt")
    (root / "loop").symlink_to("loop")
    (root / "plain.txt").symlink_to("callgate.toml")
    return root


def verdict(root: Path, tool: str, arguments: str, when: str) -> str:
    targets = through_links(targets_of(tool, arguments, root=str(root)), str(root))
    return Policy([Rule("allow", when=when)]).judge(Call(tool, "", "", arguments=arguments, targets=targets), 0).kind


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("ls > src/new.txt", "allow"),
        ("ls > src/alias.txt", "allow"),
        ("ls > out/x", "ask"),
        ("ls >> out/deep/x", "ask"),
        ("ls > src/hook", "ask"),
        ("ls > plain.txt", "ask"),
        ("ls 2>&1 > src/new.txt", "allow"),
    ],
)
def test_a_redirection_is_judged_by_where_its_link_leads(workspace: Path, line: str, kind: str) -> None:
    assert verdict(workspace, "run_command", f'{{"command":"{line}"}}', "command:ls*") == kind


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/new.txt", "allow"),
        ("src/alias.txt", "allow"),
        ("src/hook", "ask"),
        ("loop", "ask"),
    ],
)
def test_a_file_and_what_its_link_leads_to_must_both_be_allowed(workspace: Path, path: str, kind: str) -> None:
    assert verdict(workspace, "write_file", f'{{"path":"{path}"}}', "edits:'src/**'") == kind


def test_a_link_out_of_the_workspace_is_seen_as_where_it_leads(workspace: Path) -> None:
    targets = through_links(Targets(edits=("out/x", "~/y", "src/a")), str(workspace))
    assert targets.edits == ("out/x", str(workspace.parent / "outside/x"), "~/y", "src/a")


def test_a_workspace_that_is_itself_reached_by_a_link_is_one_place(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(workspace)
    assert through_links(Targets(edits=("src/a",)), str(tmp_path / "way")).edits == ("src/a",)
    assert through_links(Targets(urls=("https://a/",)), str(workspace)) == Targets(urls=("https://a/",))


def test_a_link_to_a_guarded_file_is_guarded(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    (root / ".git").mkdir(parents=True)
    (root / "innocent.txt").symlink_to(".git/config")
    assert verdict(root, "write_file", '{"path":"innocent.txt","content":""}', "edits:**") == "ask"
    assert verdict(root, "run_command", '{"command":"ls > innocent.txt"}', "command:ls*") == "ask"


def test_a_whole_path_of_an_agents_own_tool_is_followed(workspace: Path, tmp_path: Path) -> None:
    files = GuardedFiles((str(tmp_path / "outside"),))
    text = f'{{"file_path":"{workspace / "out"}/rules.toml"}}'
    before = targets_of("Write", text, files=files)
    assert not before.concerns
    (concern,) = through_absolute_links(before, files).concerns
    assert "own files" in concern
