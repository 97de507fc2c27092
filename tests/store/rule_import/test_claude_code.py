import orjson
import pytest

from callgate.core.calls.targets import targets_of
from callgate.core.rules.policy import Call, Policy
from callgate.store.rule_import.claude_code import import_claude_code
from callgate.store.rule_import.report import ImportReport


def imported(**permissions: object) -> ImportReport:
    return import_claude_code({"permissions": permissions}, "/w")


def kind(report: ImportReport, tool: str, **arguments: object) -> str:
    text = orjson.dumps(arguments).decode()
    return (
        Policy(report.rules)
        .judge(Call(tool, "", "", arguments=text, targets=targets_of(tool, text, root="/w")), 0)
        .kind
    )


@pytest.mark.parametrize(
    ("rule", "line", "verdict"),
    [
        ("Bash(npm run test:*)", "npm run test -- x", "allow"),
        ("Bash(npm run test:*)", "npm run test", "allow"),
        ("Bash(npm run test:*)", "npm run tests", "ask"),
        ("Bash(npm run test:*)", "npm run test; rm x", "ask"),
        ("Bash(git diff)", "git diff", "allow"),
        ("Bash(git diff)", "git diff x", "ask"),
        ("Bash(echo 'a b')", 'echo "a b"', "allow"),
        ("Bash(git * main)", "git push origin main", "allow"),
        ("Bash(git * main)", "git push origin dev", "ask"),
        ("Bash(ls *)", "ls", "allow"),
        ("Bash(ls *)", "lsof", "ask"),
        ("Bash", "anything at all", "allow"),
        ("Bash(*)", "anything at all", "allow"),
    ],
)
def test_commands_are_allowed_as_they_were(rule: str, line: str, verdict: str) -> None:
    assert kind(imported(allow=[rule]), "Bash", command=line) == verdict


@pytest.mark.parametrize("line", ["rm x", "ls; rm x", "sudo rm x", "/bin/rm x", "echo $(rm x)"])
def test_a_denied_command_is_denied_wherever_it_stands(line: str) -> None:
    assert kind(imported(allow=["Bash"], deny=["Bash(rm:*)"]), "Bash", command=line) == "deny"


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("Bash(find *)", "find . -delete"),
        ("Bash(find:*)", "find . -exec ls {} ;"),
        ("Bash(* *)", "watch ls"),
        ("Bash(watch *)", "watch ls"),
        ("Bash(git * push *)", "git -C x push"),
    ],
)
def test_what_no_pattern_allows_there_is_not_allowed_here(rule: str, line: str) -> None:
    assert kind(imported(allow=[rule, "Bash(ls *)"]), "Bash", command=line) == "ask"


def test_the_whole_command_allows_even_that() -> None:
    assert kind(imported(allow=["Bash(find . -delete)"]), "Bash", command="find . -delete") == "allow"
    assert kind(imported(allow=[r"Bash(echo \*)"]), "Bash", command="echo '*'") == "ask"


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("Bash(git * push:*)", "git -C x push origin"),
        ("Bash(git push *)", "git push"),
        ("Bash(rm*)", "rmdir x"),
        ("Bash(* install)", "npm install"),
    ],
)
def test_patterns_that_deny_keep_their_reach(rule: str, line: str) -> None:
    assert kind(imported(allow=["Bash"], deny=[rule]), "Bash", command=line) == "deny"


def test_paths_are_allowed_below_the_workspace_only() -> None:
    report = imported(
        allow=["Read(./src/**)", "Edit(./docs/*.md)", "Read(//etc/hosts)", "Edit(*.txt)", "Edit(./*.toml)"]
    )
    assert kind(report, "Read", file_path="/w/src/a.py") == "allow"
    assert kind(report, "Read", file_path="/w/src/../secret") == "ask"
    assert kind(report, "Read", file_path="/w/src/a/../../secret") == "ask"
    assert kind(report, "Read", file_path="/other/src/a.py") == "ask"
    assert kind(report, "Read", file_path="/etc/passwd", path="/w/src/a") == "ask"
    assert kind(report, "Read", file_path="/etc/hosts") == "allow"
    assert kind(report, "Write", file_path="/w/docs/a.md", content="") == "allow"
    assert kind(report, "Write", file_path="/w/docs/x/a.md", content="") == "ask"
    assert kind(report, "Edit", file_path="/w/deep/a.txt") == "allow"
    assert kind(report, "Edit", file_path="/etc/a.txt") == "ask"
    assert kind(report, "Edit", file_path="/w/../a.txt") == "ask"
    assert kind(report, "Edit", file_path="/w/deep/a.toml") == "ask"
    assert report.skipped[0][0] == "Read(./src/**) of Glob"


def test_a_leading_slash_is_meant_from_the_folder_of_the_settings() -> None:
    rules = {"permissions": {"allow": ["Edit(/docs/**)"], "deny": ["Read(/secrets/**)"]}}
    assert kind(import_claude_code(rules, "/w", anchored=True), "Edit", file_path="/w/docs/a") == "allow"
    report = import_claude_code(rules, "/w")
    assert kind(report, "Edit", file_path="/w/docs/a") == "ask"
    assert kind(report, "Read", file_path="/w/secrets/a") == "deny"
    assert "not known to be the workspace" in report.skipped[0][1]


def test_a_tool_is_allowed_by_its_own_name_only() -> None:
    report = imported(allow=["Write", "Read"])
    assert kind(report, "Write", file_path="/w/a", content="") == "allow"
    assert kind(report, "Edit", file_path="/w/a") == kind(report, "Grep", pattern="x") == "ask"
    assert kind(imported(deny=["Edit"]), "Write", file_path="/w/a") == "deny"
    for rule in (
        "Write(./x)",
        "NotebookEdit(./x)",
        "Glob(./x)",
        "Read(~/x)",
        "Read(!x)",
        "B*",
        "*",
        "mcp__*",
        "mcp__g*__x",
    ):
        assert imported(allow=[rule]).rules == (), rule
        assert imported(allow=[rule]).skipped, rule


def test_names_may_be_globs_where_they_restrict() -> None:
    assert kind(imported(allow=["Bash"], deny=["*"]), "Bash", command="ls") == "deny"
    assert kind(imported(allow=["mcp__git"], deny=["mcp__*"]), "mcp__git__log") == "deny"
    assert kind(imported(allow=["mcp__git__get_*"]), "mcp__git__get_x") == "allow"


def test_what_may_not_be_read_or_changed_is_not_by_a_command_either() -> None:
    report = imported(allow=["Bash", "Edit"], deny=["Read(.env)", "Edit(./gen/**)"])
    for line in ("cat .env", "head -n1 a/.env", "sed p '.env'", "cat < .env", 'cp .e"nv" x'):
        assert kind(report, "Bash", command=line) == "deny", line
    assert kind(report, "Edit", file_path="/w/.env") == "deny"
    assert kind(report, "Bash", command="cat .environment") == "allow"
    assert kind(report, "Bash", command="cat gen/a") == "allow"
    for line in ("echo x > gen/a", "sed -i s/a/b/ gen/a", "ls; rm -r gen/"):
        assert kind(report, "Bash", command=line) == "deny", line


@pytest.mark.parametrize("path", ["/w/.env", "/elsewhere/a/.env", ".env", "/w/.env/x"])
def test_a_denied_path_is_denied_at_least_there(path: str) -> None:
    report = imported(allow=["Read"], deny=["Read(.env)", "Read(~/.ssh/**)"])
    assert kind(report, "Read", file_path=path) == "deny"
    assert kind(report, "Read", file_path="/home/me/.ssh/id") == "deny"
    assert kind(report, "Read", file_path="/w/a") == "allow"


def test_domains_servers_and_parameters() -> None:
    report = imported(
        allow=["WebFetch(domain:example.com)", "mcp__git", "mcp__x__y", "Tool(mode:fast*)", "Bash"],
        deny=["mcp__git__push", "WebFetch(domain:evil.com.)", "Bash(run_in_background:true)", "Agent(path : /etc/*)"],
    )
    assert kind(report, "WebFetch", url="https://example.com/x") == "allow"
    assert kind(report, "WebFetch", url="https://example.com.evil.com/x") == "ask"
    assert kind(report, "WebFetch", url="http://EVIL.com:81/x") == "deny"
    assert kind(report, "mcp__git__log") == "allow"
    assert kind(report, "mcp__git__push") == "deny"
    assert kind(report, "mcp__x__z") == "ask"
    assert kind(report, "Tool", mode="faster") == "ask"
    assert kind(report, "Bash", command="ls") == "allow"
    assert kind(report, "Bash", command="ls", run_in_background=True) == "deny"
    assert kind(report, "Agent", path="/etc/a/b") == "deny"


def test_what_allows_and_cannot_be_said_is_left_out_and_listed() -> None:
    report = imported(
        allow=["Agent(Explore)", "Read(~/x)", "???", 3, "WebFetch(domain:a.com/x)", "PowerShell(ls *)", "Cd(~/x)"],
        defaultMode="acceptEdits",
        additionalDirectories=["/x"],
        ask="Bash",
    )
    assert report.rules == ()
    assert {text for text, _ in report.skipped} >= {
        *("Agent(Explore)", "Read(~/x)", "???", "3", "WebFetch(domain:a.com/x)", "PowerShell(ls *)", "Cd(~/x)"),
        *("permissions.defaultMode", "permissions.additionalDirectories", "permissions.ask"),
    }


def test_remarks_say_the_line_and_hooks_are_told_of() -> None:
    text = '{"permissions": {\n"allow": [\n"Read(~/x)"]},\n"hooks": {"PreToolUse": [1]}}'
    report = import_claude_code(orjson.loads(text), "/w", source=text)
    assert [told for told, _ in report.skipped][-2:] == ["Read(~/x) (line 3)", "hooks.PreToolUse (line 4)"]


def test_a_plan_asks_before_anything_changes() -> None:
    report = imported(allow=["Bash", "Edit", "Read"], defaultMode="plan")
    assert kind(report, "Bash", command="ls") == kind(report, "Edit", file_path="/w/a") == "ask"
    assert kind(report, "Read", file_path="/w/a") == "allow"


def test_what_denies_and_cannot_be_said_denies_the_whole_tool() -> None:
    report = imported(
        deny=["Read(!x)", "Skill(x)", "Bash((", "PowerShell(rm:*)", "WebFetch(https://x)"], ask=["Task(y)"]
    )
    assert kind(report, "Read", file_path="/z") == "deny"
    assert kind(report, "Skill") == kind(report, "PowerShell", command="x") == "deny"
    assert kind(report, "WebFetch", url="https://y.com") == "deny"
    assert kind(report, "Bash", command="ls") == "deny"
    assert {rule.verdict for rule in report.rules if rule.tool == "Task"} == {"ask"}
    assert {text for text, _ in report.widened} >= {"Read(!x)", "Skill(x)", "Bash((", "Task(y)"}
