import orjson

from callgate.core.messages import Json
from callgate.core.rules.policy import Call, Policy
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


def test_a_tool_with_a_bad_pattern_is_not_run_unasked() -> None:
    report = imported(terminal={"always_allow": [{"pattern": "("}], "always_deny": [{"pattern": "["}, {}]})
    assert kind(report, "terminal", command="ls") == "deny"
    assert len(report.widened) == 3
    blocked = imported(terminal={"always_allow": [{"pattern": "^ls"}, {"pattern": "^cat(?!x)"}]})
    assert kind(blocked, "terminal", command="ls") == "ask"
    (text, why) = blocked.widened[0]
    assert text == "terminal.always_allow: ^cat(?!x)"
    assert "not read alike by Rust" in why
    odd = imported(terminal={"always_allow": [{"pattern": "^ls"}], "always_deny": {"pattern": "rm"}})
    assert kind(odd, "terminal", command="ls") == "deny"


def test_what_zed_refuses_in_any_case_is_not_allowed() -> None:
    report = imported("allow")
    assert kind(report, "terminal", command="ls") == "allow"
    for line in ("rm -rf /", "rm -rfv /tmp /", "ls; rm -r -f ~", "rm -rf ..", "rm -rf ./*", "rm -rf /tmp/../.."):
        assert kind(report, "terminal", command=line) == "deny", line
    assert kind(report, "terminal", command="rm -rf build") == "allow"
    assert kind(report, "terminal", command="ls $HOME") == "ask"
    assert kind(report, "edit_file", path="src/a.rs") == "allow"
    for path in ("/etc/passwd", "../x", ".zed/settings.json", "proj/.zed/tasks.json", "~/x"):
        assert kind(report, "edit_file", path=path) == "ask", path


def test_paths_and_addresses_are_seen_as_they_were_written_too() -> None:
    report = imported(
        "allow",
        move_path={"always_deny": [{"pattern": "secret"}]},
        fetch={"default": "confirm", "always_allow": [{"pattern": "^https://docs\\.rs/"}]},
        web_search={"always_deny": [{"pattern": "password"}]},
    )
    assert kind(report, "move_path", source_path="a", destination_path="secret/../b") == "deny"
    assert kind(report, "move_path", source_path="a", destination_path="b") == "allow"
    assert kind(report, "fetch", url="https://docs.rs/x") == "allow"
    assert kind(report, "fetch", url="https://evil.com/https://docs.rs/") == "ask"
    assert kind(report, "web_search", query="my PASSWORD") == "deny"
    assert kind(report, "web_search", query="rust") == "allow"


def test_tools_of_servers_are_refused_by_name_and_allowed_of_their_server_only() -> None:
    report = imported(**{"mcp:gh:create_issue": {"default": "deny"}, "mcp:gh:read": {"default": "allow"}})
    assert kind(report, "create_issue") == kind(report, "gh_create_issue") == "deny"
    assert kind(report, "read") == "ask"
    assert Policy(report.rules).judge(Call("read", "gh", ""), 0).kind == "allow"
    assert Policy(report.rules).judge(Call("read", "other", ""), 0).kind == "ask"


def test_a_general_default_counts_for_tools_with_patterns_too() -> None:
    report = imported("deny", terminal={"always_allow": [{"pattern": "^ls"}]})
    assert kind(report, "terminal", command="ls -l") == "allow"
    assert kind(report, "terminal", command="cat x") == "deny"
    assert kind(report, "other") == "deny"


def test_what_is_not_understood_is_listed_with_its_line() -> None:
    settings: Json = {
        "agent": {
            "always_allow_tool_actions": True,
            "tool_permissions": {"default": "maybe", "x": 1, "tools": {"a": 3, "b": {"default": 1, "colour": 2}}},
        }
    }
    report = import_zed(settings, orjson.dumps(settings, option=orjson.OPT_INDENT_2).decode())
    assert {text for text, _ in report.skipped} == {
        *("agent.always_allow_tool_actions (line 3)", "default: maybe (line 5)", "tool_permissions.x (line 6)"),
        *("b.default: 1", "b.colour (line 11)"),
    }
    assert [text for text, _ in report.widened] == ["tools.a (line 8)"]
    assert import_zed({"agent": {}}).rules == ()
