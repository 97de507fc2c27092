import orjson
import pytest

from callgate.core.call_targets import targets_of
from callgate.core.policy import Call, Policy
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


def test_paths_are_allowed_below_the_workspace_only() -> None:
    report = imported(allow=["Read(./src/**)", "Edit(/docs/*.md)", "Read(//etc/hosts)"])
    assert kind(report, "Read", file_path="/w/src/a.py") == "allow"
    assert kind(report, "Read", file_path="/w/src/../secret") == "ask"
    assert kind(report, "Read", file_path="/other/src/a.py") == "ask"
    assert kind(report, "Read", file_path="/etc/passwd", path="/w/src/a") == "ask"
    assert kind(report, "Read", file_path="/etc/hosts") == "allow"
    assert kind(report, "Write", file_path="/w/docs/a.md", content="") == "allow"
    assert kind(report, "Write", file_path="/w/docs/x/a.md", content="") == "ask"
    assert report.skipped[0][0] == "Read(./src/**) of Glob"


@pytest.mark.parametrize("path", ["/w/.env", "/elsewhere/a/.env", ".env", "/w/.env/x"])
def test_a_denied_path_is_denied_at_least_there(path: str) -> None:
    report = imported(allow=["Read"], deny=["Read(.env)", "Read(~/.ssh/**)"])
    assert kind(report, "Read", file_path=path) == "deny"
    assert kind(report, "Read", file_path="/home/me/.ssh/id") == "deny"
    assert kind(report, "Read", file_path="/w/a") == "allow"


def test_domains_servers_and_parameters() -> None:
    report = imported(
        allow=["WebFetch(domain:example.com)", "mcp__git", "mcp__x__y", "Tool(mode:fast*)"], deny=["mcp__git__push"]
    )
    assert kind(report, "WebFetch", url="https://example.com/x") == "allow"
    assert kind(report, "WebFetch", url="https://example.com.evil.com/x") == "ask"
    assert kind(report, "mcp__git__log") == "allow"
    assert kind(report, "mcp__git__push") == "deny"
    assert kind(report, "mcp__x__z") == "ask"
    assert kind(report, "Tool", mode="faster") == "allow"


def test_what_allows_and_cannot_be_said_is_left_out_and_listed() -> None:
    report = imported(allow=["Agent(Explore)", "Read(~/x)", "???", 3], defaultMode="acceptEdits")
    assert report.rules == ()
    assert {text for text, _ in report.skipped} >= {
        "Agent(Explore)",
        "Read(~/x)",
        "???",
        "3",
        "permissions.defaultMode",
    }


def test_what_denies_and_cannot_be_said_denies_the_whole_tool() -> None:
    report = imported(deny=["Read(./[ab].x)", "Skill(x)", "Bash(("], ask=["Task(y)"])
    assert kind(report, "Read", file_path="/z") == "deny"
    assert kind(report, "Skill") == "deny"
    assert kind(report, "Bash", command="ls") == "deny"
    assert {rule.verdict for rule in report.rules if rule.tool == "Task"} == {"ask"}
    assert {text for text, _ in report.widened} >= {"Read(./[ab].x)", "Skill(x)", "Bash((", "Task(y)"}
