import orjson

from callgate.core.messages import Json
from callgate.core.policy import Call, Policy
from callgate.store.rule_import.report import ImportReport
from callgate.store.rule_import.zed import import_zed


def imported(default: str = "confirm", **tools: Json) -> ImportReport:
    return import_zed({"agent": {"tool_permissions": {"default": default, "tools": tools}}})


def kind(report: ImportReport, tool: str, **arguments: object) -> str:
    return Policy(report.rules).judge(Call(tool, "", "", arguments=orjson.dumps(arguments).decode()), 0).kind


TERMINAL: Json = {
    "always_allow": [{"pattern": "^cargo (build|test)"}],
    "always_confirm": [{"pattern": "SUDO", "case_sensitive": True}],
    "always_deny": [{"pattern": "rm\\s+-rf"}],
}


def test_patterns_mean_what_they_meant() -> None:
    report = imported(terminal=TERMINAL)
    assert kind(report, "terminal", command="Cargo build") == "allow"
    assert kind(report, "terminal", command="cargo build && ls") == "ask"
    assert kind(report, "terminal", command="cargo build SUDO") == "ask"
    assert kind(report, "terminal", command="cargo build; rm  -rf x") == "deny"


def test_a_default_to_deny_spares_what_the_patterns_name() -> None:
    report = imported(terminal={**TERMINAL, "default": "deny"})
    assert kind(report, "terminal", command="cargo build") == "allow"
    assert kind(report, "terminal", command="ls") == "deny"
    assert kind(report, "terminal", command="SUDO ls") == "ask"


def test_the_general_default_leaves_out_tools_with_their_own() -> None:
    report = imported("allow", terminal={"default": "confirm"}, edit_file={"always_deny": [{"pattern": "\\.env"}]})
    assert kind(report, "other") == "allow"
    assert kind(report, "terminal", command="ls") == "ask"
    assert kind(report, "edit_file", path="a") == "allow"
    assert kind(report, "edit_file", path="x.env") == "deny"
    assert kind(imported("deny", fetch={"default": "allow"}), "other") == "deny"
    assert kind(imported("deny", fetch={"default": "allow"}), "fetch", url="https://a.com") == "allow"


def test_a_bad_pattern_never_loosens_anything() -> None:
    report = imported(terminal={"always_allow": [{"pattern": "("}], "always_deny": [{"pattern": "["}, {}]})
    assert kind(report, "terminal", command="ls") == "deny"
    assert [text for text, _ in report.skipped] == ["terminal.always_allow: ("]
    assert len(report.widened) == 2


def test_tools_of_servers_are_known_by_their_own_name() -> None:
    report = imported(**{"mcp:gh:create_issue": {"default": "deny"}, "mcp:gh:read": {"default": "allow"}})
    assert kind(report, "create_issue") == kind(report, "gh_create_issue") == "deny"
    assert kind(report, "read") == "allow"


def test_what_is_not_understood_is_listed() -> None:
    report = import_zed(
        {
            "agent": {
                "tool_permissions": {"default": "maybe", "x": 1, "tools": {"a": 3, "b": {"default": 1, "colour": 2}}}
            }
        }
    )
    assert {text for text, _ in report.skipped} == {
        *("default: maybe", "tool_permissions.x", "tools.a", "b.default: 1", "b.colour"),
    }
    assert import_zed({"agent": {}}).rules == ()
