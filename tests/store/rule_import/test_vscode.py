from orjson import dumps, loads

from callgate.core.calls.targets import targets_of
from callgate.core.messages import Json
from callgate.core.rules.policy import Call, Policy
from callgate.store.rule_import.vscode import concerns_approval, import_vscode

SETTINGS = {
    "editor.fontSize": 12,
    "chat.tools.global.autoApprove": True,
    "chat.tools.terminal.autoApprove": {"git": True, "/^rm/": False, "/(/": True, "ls": None},
    "chat.tools.edits.autoApprove": {"**/*": True, "**/.env": False},
    "chat.tools.urls.autoApprove": {"https://a.com": {"approveRequest": True}},
    "chat.tools.eligibleForAutoApproval": {"runTests": False},
    "chat.tools.unheard.of": 1,
}


def kind(tool: str, arguments: str) -> str:
    return Policy(import_vscode(SETTINGS).rules).judge(Call(tool, "", "", arguments=arguments), 0).kind


def test_settings_become_rules_of_the_configuration_that_name_them() -> None:
    rules = import_vscode(SETTINGS).rules
    assert {rule.origin for rule in rules} == {"config"}
    assert {rule.note.rpartition(".")[0] for rule in rules} >= {
        "chat.tools.terminal",
        "chat.tools.edits",
        "chat.tools.urls",
    }
    assert [rule.review for rule in rules if "urls" in rule.note] == [True]


def test_they_mean_what_they_meant() -> None:
    assert kind("bash", '{"command":"git status"}') == "allow"
    assert kind("bash", '{"command":"git status; rm x"}') == "ask"
    assert kind("edit_file", '{"path":"src/a"}') == "allow"
    assert kind("edit_file", '{"path":"src/.env"}') == "ask"


def test_what_cannot_be_taken_over_is_listed() -> None:
    skipped = dict(import_vscode(SETTINGS).skipped)
    assert "acknowledged" in skipped["chat.tools.global.autoApprove"]
    assert "no such setting" in skipped["chat.tools.unheard.of"]
    assert "not a regular expression" in skipped["chat.tools.terminal.autoApprove: /(/"]
    assert import_vscode({"chat.tools.edits.autoApprove": 3}).skipped == (
        ("chat.tools.edits.autoApprove", "expected an object"),
    )


def test_remarks_say_the_line() -> None:
    text = '{\n  "chat.tools.unheard.of": 1,\n  "chat.tools.terminal.autoApprove": {\n    "/(/": true\n  }\n}'
    report = import_vscode(loads(text), text)
    assert [told for told, _ in report.skipped] == [
        "chat.tools.unheard.of (line 2)",
        "chat.tools.terminal.autoApprove: /(/ (line 4)",
    ]


def test_older_names_are_understood_but_those_that_allow_no_longer_do() -> None:
    report = import_vscode(
        {
            "chat.agent.terminal.autoApprove": {"git": True},
            "github.copilot.chat.agent.terminal.denyList": {"rm": True, "ls": False},
            "github.copilot.chat.agent.terminal.allowList": {"cat": True},
            "chat.tools.autoApprove": False,
        }
    )
    assert [(rule.verdict, rule.when) for rule in report.rules] == [
        ("allow", 'command~"^git(?=\\s|\\Z)"'),
        ("ask", 'command~"^rm(?![A-Za-z0-9_])"'),
    ]
    assert [text for text, _ in report.skipped] == ["github.copilot.chat.agent.terminal.allowList: cat"]
    assert concerns_approval("chat.agent.terminal.autoApprove") and not concerns_approval("editor.x")


def judged(settings: dict[str, Json], tool: str, **arguments: object) -> str:
    text = dumps(arguments).decode()
    call = Call(tool, "", "", arguments=text, targets=targets_of(tool, text, root="/w"))
    return Policy(import_vscode(settings).rules).judge(call, 0).kind


def test_what_vs_code_withholds_by_itself_is_withheld() -> None:
    every: dict[str, Json] = {"chat.tools.terminal.autoApprove": {"/.*/": True}}
    assert judged(every, "bash", command="ls -l") == "allow"
    for line in ("rm x", "ls; curl x", "find . -delete", "sort -o x y", "xargs ls"):
        assert judged(every, "bash", command=line) == "ask", line
    bare: dict[str, Json] = {**every, "chat.tools.terminal.ignoreDefaultAutoApproveRules": True}
    assert judged(bare, "bash", command="rm x") == "allow"
    unset: dict[str, Json] = {"chat.tools.terminal.autoApprove": {"/.*/": True, "rm": None}}
    assert judged(unset, "bash", command="rm x") == "allow"
    assert judged(unset, "bash", command="rmdir x") == "ask"
    files: dict[str, Json] = {"chat.tools.edits.autoApprove": {"**/*": True}}
    assert judged(files, "edit_file", path="src/a.py") == "allow"
    for path in ("package.json", "a/.env", ".vscode/x.json", "a/.git/config", "x.csproj"):
        assert judged(files, "edit_file", path=path) == "ask", path
    later: dict[str, Json] = {"chat.tools.edits.autoApprove": {"src/**": True}}
    assert judged(later, "edit_file", path="src/package.json") == "allow"
    assert judged(later, "edit_file", path="a.py") == "ask"


def test_an_entry_that_withholds_and_cannot_be_read_withholds_all_of_its_kind() -> None:
    broken: dict[str, Json] = {"chat.tools.terminal.autoApprove": {"git": True, "/[^]rm/": False}}
    assert judged(broken, "bash", command="git status") == "ask"
    (text, why) = import_vscode(broken).widened[0]
    assert text == "chat.tools.terminal.autoApprove: /[^]rm/"
    assert "an empty set" in why
    globs: dict[str, Json] = {"chat.tools.edits.autoApprove": {"src/**": True, "{a": False}}
    assert judged(globs, "edit_file", path="src/x") == "ask"


def test_switches_of_the_terminal_are_heeded() -> None:
    allowed: dict[str, Json] = {"chat.tools.terminal.autoApprove": {"echo": True, "tee": True}}
    off: dict[str, Json] = {**allowed, "chat.tools.terminal.enableAutoApprove": False}
    assert judged(allowed, "bash", command="echo a > x") == "allow"
    assert judged(off, "bash", command="echo a") == "ask"
    writes: dict[str, Json] = {**allowed, "chat.tools.terminal.blockDetectedFileWrites": "all"}
    assert judged(writes, "bash", command="echo a") == "allow"
    assert judged(writes, "bash", command="echo a > x") == "ask"
    assert judged(writes, "bash", command="tee x") == "ask"


def test_tools_that_are_never_eligible_are_found_by_what_they_do() -> None:
    allowed: dict[str, Json] = {
        "chat.tools.terminal.autoApprove": {"ls": True},
        "chat.tools.urls.autoApprove": {"https://a.com": True},
    }
    never: dict[str, Json] = {**allowed, "chat.tools.eligibleForAutoApproval": {"execute/runInTerminal": False}}
    assert judged(allowed, "run_in_terminal", command="ls") == "allow"
    assert judged(never, "run_in_terminal", command="ls") == judged(never, "bash", command="ls") == "ask"
    assert judged(never, "fetch_webpage", urls=["https://a.com/x"]) == "allow"
    fetch: dict[str, Json] = {**allowed, "chat.tools.eligibleForAutoApproval": {"fetch": False, "x": 3}}
    assert judged(fetch, "fetch_webpage", urls=["https://a.com/x"]) == "ask"
    assert import_vscode(fetch).skipped[0][1] == "expected true or false"


def test_of_two_spellings_the_stricter_counts() -> None:
    both: dict[str, Json] = {
        "chat.tools.terminal.autoApprove": {"make": False},
        "chat.agent.terminal.autoApprove": {"make": True},
    }
    assert judged(both, "bash", command="make") == "ask"
