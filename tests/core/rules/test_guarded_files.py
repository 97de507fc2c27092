"""Files that decide what runs or what is asked are found whoever writes them, in whatever spelling."""

import json

import pytest

from callgate.core.calls.targets import targets_of
from callgate.core.rules.guarded_files import TABLE, GuardedFiles
from callgate.core.rules.policy import Call, Policy, Rule

HOME = "/home/ann"
FILES = GuardedFiles((f"{HOME}/.local/share/callgate", f"{HOME}/settings/my.toml"), HOME)
ALLOW_ALL = [Rule("allow", "*")]


def verdict(tool: str, arguments: object, *rules: Rule, owner_root: str = "") -> str:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    targets = targets_of(tool, text, root=owner_root, files=FILES)
    return Policy(rules or ALLOW_ALL).judge(Call(tool, "client", "a", "", text, targets=targets), 0).kind


@pytest.mark.parametrize("glob", [glob for globs in TABLE.values() for glob in globs])
def test_every_row_of_the_table_is_guarded_in_a_project_and_below_it(glob: str) -> None:
    path = glob.replace("**/", "deep/er/").replace("**", "deep/er").replace("*", "any")
    assert FILES.guard_of(path)
    if not path.startswith("/"):
        assert FILES.guard_of(f"some/project/{path}")
        assert FILES.guard_of(f"/abs/project/{path.upper()}"), "some file systems ignore case"


@pytest.mark.parametrize(
    "path",
    [
        "src/main.py",
        "README.md",
        ".gitignore",
        ".github/workflows/ci.yml",
        ".claude/worktrees/fix/src/a.py",
        "docs/profile.md",
        "etc/profile",
        "config",
        "hooks/useState.ts",
        "rules.toml",
        ".config",
        "notes about .bashrc",
        "**/*",
        "src/**/*.ts",
        "*.json",
        "node_modules",
        ".venv",
        "src/callgate/app.py",
        "100% done",
        "a {b,c} d",
        "",
        "x" * 5000,
    ],
)
def test_ordinary_files_are_not(path: str) -> None:
    assert FILES.guard_of(path) is None


@pytest.mark.parametrize(
    "path",
    [
        ".git",
        ".vscode",
        ".ssh",
        "a/../.git/hooks/pre-commit",
        "./.git//config",
        ".git::$INDEX_ALLOCATION/config",
        "GIT~1/config",
        ".git./config",
        ".bashrc ",
        "C:\\Users\\ann\\.ssh\\authorized_keys",
        "file:///home/ann/.zshrc",
        "~/.ssh/config",
        f"{HOME}/.local/share/callgate/sources.json",
        "~/.local/share/callgate/callgate.db-wal",
        "~/settings/my.toml",
        "file://localhost/home/ann/.bashrc",
        "FILE:/home/ann/.bashrc",
        "file:///home/ann/%2ebashrc",
        "vscode-notebook-cell:/w/.vscode/tasks.json",
        ".g\u200cit/config",
        ".b\uff41shrc",
        " .bashrc",
        ".git/hooks/pre-commit\n",
        ".claude/settings.json\0.txt",
        "C:.git\\config",
        "CLAUDE~1\\settings.json",
        ".git/hoo*/pre-commit",
        "/home/ann/.bash*",
        ".{git,x}/config",
        "/repos/bare.git/hooks/post-receive",
        "/etc/claude-code/managed-settings.d/10.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
        "lib/python3.11/site-packages/evil.pth",
        "~/.local/state/callgate-trust/anchor.json",
        "deep/callgate.toml",
    ],
)
def test_other_spellings_and_the_folders_themselves_are(path: str) -> None:
    assert FILES.guard_of(path)


def test_a_folder_above_callgates_own_counts_only_where_it_could_be_replaced() -> None:
    assert FILES.guard_of(f"{HOME}/.local")
    assert FILES.guard_of("/")
    assert FILES.guard_of(f"{HOME}/.local", replaced=False) is None


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": ".claude/settings.json", "content": "{}"}),
        ("write_file", {"path": ".vscode/tasks.json", "content": "{}"}),
        ("Edit", {"file_path": "/home/ann/.bashrc", "old_string": "a", "new_string": "b"}),
        ("apply_patch", "*** Begin Patch\n*** Update File: .git/config\n@@\n*** End Patch"),
        ("apply_patch", {"patch": "--- a/x\n+++ b/.mcp.json\n@@ -0,0 +1 @@\n+{}\n"}),
        ("apply_patch", {"patch": "diff --git a/x b/y\nrename from x\nrename to .git/hooks/pre-commit\n"}),
        ("mcp__fs__move_file", {"source": "a", "destination": ".git/hooks/pre-push"}),
        ("mcp__dev__put", {"where": {"file": ".ssh/authorized_keys"}, "data": "ssh-rsa x"}),
        ("anything", {".bashrc": "echo hi"}),
        ("Bash", {"command": "ls > .git/hooks/pre-commit"}),
        ("Bash", {"command": "ls > rc", "cwd": "/home/ann/.local/share/callgate"}),
        ("Write", {"file_path": "~/.local/share/callgate/switches.json", "content": "{}"}),
        ("Write", {"file_path": "/home/ann/settings/my.toml", "content": ""}),
        ("apply_patch", {"patch": "diff --git a/.bashrc b/.bashrc\nnew file mode 100644\n"}),
        ("apply_patch", {"patchText": "--- a/x\n+++ b/.bashrc\n@@ -0,0 +1 @@\n+x\n"}),
        ("mcp__git__apply", {"content": "--- a/x\n+++ b/.bashrc\n@@ -0,0 +1 @@\n+x\n"}),
        ("Bash", {"command": "callgate accept"}),
        ("Bash", {"command": "./.venv/bin/callgate serve --trust-config"}),
        ("Bash", {"command": "python3.11 -I -m callgate accept"}),
        ("Bash", {"command": "env X=1 setsid callgate accept"}),
        ("Bash", {"command": "script -qc 'callgate accept' /dev/null"}),
        ("Bash", {"command": "echo y | callgate accept"}),
        ("run_terminal", {"cmd": ["callgate", "accept"]}),
        ("mcp__x__run", {"program": "/usr/bin/callgate", "args": ["accept"]}),
        ("mcp__x__run", {"script": "callgate --data x accept"}),
    ],
)
def test_a_call_that_could_write_one_asks_although_everything_is_allowed(tool: str, arguments: object) -> None:
    assert verdict(tool, arguments) == "ask"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Read", {"file_path": ".claude/settings.json"}),
        ("Write", {"file_path": "src/a.py", "content": "about .bashrc and .git/config"}),
        ("note", {"text": "remember to look at .bashrc"}),
        ("Write", {"file_path": "docs/a.md", "content": "--- a/.bashrc\n+++ b/.bashrc\n"}),
        ("Write", {"file_path": "docs/a.md", "content": "run callgate accept"}),
        ("Bash", {"command": "ls callgate"}),
        ("Bash", {"command": "git commit -m callgate"}),
    ],
)
def test_reading_and_talking_about_one_does_not(tool: str, arguments: object) -> None:
    assert verdict(tool, arguments) == "allow"


SETTINGS = {"file_path": ".vscode/settings.json", "content": "{}"}


@pytest.mark.parametrize(
    ("when", "kind"),
    [
        ("edits:.vscode/settings.json", "allow"),
        ("args.file_path:.vscode/settings.json", "allow"),
        ("args.file_path=.vscode/settings.json", "allow"),
        ("edits:.vscode/*", "ask"),
        ("edits:**", "ask"),
        ("args.file_path:.vscode/**", "ask"),
        ("args.content:*", "ask"),
        ("not args.file_path:src/**", "ask"),
        ("", "ask"),
    ],
)
def test_only_a_rule_that_names_the_file_covers_it(when: str, kind: str) -> None:
    assert verdict("Write", SETTINGS, Rule("allow", "Write", when=when)) == kind


def test_no_rule_covers_callgates_own_files() -> None:
    own = {"file_path": "deep/callgate.toml", "content": ""}
    assert verdict("Write", own, Rule("allow", "Write", when="edits:deep/callgate.toml")) == "ask"


def test_the_verdict_says_why_and_can_not_become_a_lasting_grant() -> None:
    text = json.dumps(SETTINGS)
    judged = Policy(ALLOW_ALL).judge(Call("Write", "client", "a", "", text), 0)
    assert ".vscode/settings.json" in judged.reason and "configures VS Code" in judged.reason
    assert not judged.grantable


def test_two_files_in_one_call_are_each_looked_at() -> None:
    both = {"files": [{"path": "src/a.py"}, {"path": ".git/config"}]}
    assert verdict("edit_files", both, Rule("allow", "*", when="edits:src/**"), Rule("allow", "*")) == "ask"


def test_a_call_with_endless_arguments_asks() -> None:
    assert verdict("anything", {"list": [f"word {number}" for number in range(3000)]}) == "ask"


def test_a_workspace_inside_the_data_folder_stays_usable() -> None:
    files = GuardedFiles.around("/data/work", ["/data"], HOME)
    assert files.guard_of("notes.txt", "/data/work") is None
    assert files.guard_of("../rules.toml", "/data/work")
