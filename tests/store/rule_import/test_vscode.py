from callgate.core.policy import Call, Policy
from callgate.store.rule_import.vscode import concerns_approval, import_vscode

SETTINGS = {
    "editor.fontSize": 12,
    "chat.tools.global.autoApprove": True,
    "chat.tools.terminal.autoApprove": {"git": True, "/^rm/": False, "/(/": False, "ls": None},
    "chat.tools.edits.autoApprove": {"**/*": True, "**/.env": False},
    "chat.tools.urls.autoApprove": {"https://a.com": {"approveRequest": True}},
    "chat.tools.eligibleForAutoApproval": {"runInTerminal": False},
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
    assert "not a regular expression" in skipped["chat.tools.terminal.autoApprove: /(/"]
    assert "no such setting" in skipped["chat.tools.unheard.of"]
    assert import_vscode({"chat.tools.edits.autoApprove": 3}).skipped == (
        ("chat.tools.edits.autoApprove", "expected an object"),
    )


def test_older_names_are_understood() -> None:
    report = import_vscode(
        {
            "chat.agent.terminal.autoApprove": {"git": True},
            "github.copilot.chat.agent.terminal.denyList": {"rm": True, "ls": False},
            "chat.tools.autoApprove": False,
        }
    )
    assert [(rule.verdict, rule.when) for rule in report.rules] == [
        ("allow", 'command~"^git(?=\\s|$)"'),
        ("ask", 'command~"^rm(?!\\w)"'),
    ]
    assert report.skipped == ()
    assert concerns_approval("chat.agent.terminal.autoApprove") and not concerns_approval("editor.x")
