"""The settings that VS Code users know do what they expect, as rules."""

import orjson
import pytest

from callgate.core.calls.targets import targets_of
from callgate.core.config.settings import Settings
from callgate.core.rules.policy import Call, Policy, Verdict
from callgate.core.rules.vscode_settings import EDITS, ELIGIBLE, GLOBAL, TERMINAL, URLS, rules_from


def judged(tool: str, arguments: dict[str, object], now: float = 0, **data: object) -> Verdict:
    return policy(**data).judge(call(tool, arguments), now)


def policy(**data: object) -> Policy:
    return Policy(rules_from(Settings.model_validate(data), 0))


def call(tool: str, arguments: dict[str, object]) -> Call:
    text = orjson.dumps(arguments).decode()
    return Call(tool, "", "", arguments=text, targets=targets_of(tool, text, root="/w"))


def test_every_rule_is_of_the_settings_and_names_its_own() -> None:
    rules = policy(
        **{
            GLOBAL: True,
            "chat.tools.global.acknowledged": True,
            EDITS: {"a": True, "b": False},
            ELIGIBLE: {"x": False, "y": True},
            URLS: {"a.com": True, "b.com": {"approveRequest": True}},
            TERMINAL: {"ls": True, "rm": False},
        },
        gate={"block_tools": ["x"], "allow_tools": ["y"]},
    ).rules
    assert {rule.origin for rule in rules} == {"setting"}
    assert len({rule.id for rule in rules}) == len(rules)
    assert {rule.note for rule in rules} == {
        *(GLOBAL, EDITS, ELIGIBLE, URLS, TERMINAL),
        *("gate.block_tools", "gate.allow_tools"),
    }


def test_no_setting_means_no_rule() -> None:
    assert rules_from(Settings(), 0) == ()


# ---- everything ----------------------------------------------------------------------------------------------------


def test_everything_is_approved_for_a_quarter_of_an_hour() -> None:
    on = {GLOBAL: True, "chat.tools.global.acknowledged": True}
    verdict = judged("x", {}, 15 * 60 - 1, **on)
    assert (verdict.kind, verdict.reason) == ("allow", GLOBAL)
    assert judged("x", {}, 15 * 60, **on).kind == "ask"
    assert judged("x", {}, 119, **on, **{"chat.tools.global.minutes": 2.0}).kind == "allow"


def test_what_is_not_eligible_asks_even_then_and_offers_no_lasting_grant() -> None:
    verdict = judged("x", {}, **{GLOBAL: True, "chat.tools.global.acknowledged": True, ELIGIBLE: {"x": False}})
    assert (verdict.kind, verdict.reason, verdict.grantable) == ("ask", ELIGIBLE, False)


# ---- files ---------------------------------------------------------------------------------------------------------

FILES = {EDITS: {"**/*": True, "**/*.env": False, "keep/**": False, "keep/this/**": True}}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/a.py", "allow"),
        ("a.env", "ask"),
        ("x/A.ENV", "ask"),
        ("keep/a", "ask"),
        ("keep/this/a", "allow"),
        ("/w/src/a.py", "allow"),
        ("/etc/passwd", "ask"),
        ("../x", "ask"),
        ("~/.bashrc", "ask"),
        (".git/config", "ask"),
        (".vscode/settings.json", "ask"),
        ("keep/this/../../x.env", "ask"),
    ],
)
def test_of_files_the_last_pattern_that_fits_wins_and_some_always_ask(path: str, kind: str) -> None:
    assert judged("edit_file", {"path": path}, **FILES).kind == kind


def test_every_file_of_a_call_must_be_approved() -> None:
    assert judged("move_file", {"path": "a", "new_path": "b"}, **FILES).kind == "allow"
    assert judged("move_file", {"path": "a", "new_path": "b.env"}, **FILES).kind == "ask"


def test_reading_is_not_approved_with_editing() -> None:
    assert judged("read_file", {"path": "a"}, **FILES).kind == "ask"


# ---- addresses -----------------------------------------------------------------------------------------------------

ADDRESSES = {
    URLS: {
        "https://no.a.com": False,
        "https://*.a.com": True,
        "https://b.com": {"approveRequest": True},
        "https://c.com": {"approveRequest": True, "approveResponse": False},
        "https://d.com": {"approveResponse": True},
        "https://d.com/x": {"approveRequest": True},
    }
}


@pytest.mark.parametrize(
    ("url", "kind", "reviewed"),
    [
        ("https://www.a.com/x", "allow", False),
        ("https://no.a.com/x", "ask", True),
        ("https://b.com/", "allow", True),
        ("https://c.com/", "allow", True),
        ("https://d.com/x/y", "allow", False),
        ("https://d.com/", "ask", False),
        ("https://e.com/", "ask", False),
        ("https://www.a.com@e.com/", "ask", False),
    ],
)
def test_of_addresses_the_first_word_on_each_side_counts(url: str, kind: str, reviewed: bool) -> None:
    asked = call("fetch_url", {"url": url})
    assert policy(**ADDRESSES).judge(asked, 0).kind == kind
    assert (policy(**ADDRESSES).wants_review(asked, 0) is not None) is reviewed


def test_every_address_of_a_call_must_be_approved() -> None:
    assert judged("fetch", {"urls": ["https://x.a.com", "https://y.a.com"]}, **ADDRESSES).kind == "allow"
    assert judged("fetch", {"urls": ["https://x.a.com", "https://no.a.com"]}, **ADDRESSES).kind == "ask"


def test_an_earlier_pattern_that_approves_the_result_spares_the_review() -> None:
    both = policy(
        **{URLS: {"https://a.com/ok": True, "https://a.com": {"approveRequest": True, "approveResponse": False}}}
    )
    assert both.wants_review(call("fetch", {"url": "https://a.com/ok/1"}), 0) is None
    assert both.wants_review(call("fetch", {"url": "https://a.com/other"}), 0) is not None


# ---- commands ------------------------------------------------------------------------------------------------------

COMMANDS = {
    TERMINAL: {
        "git": True,
        "/^npm (test|run build)$/": True,
        "rm": False,
        "git push": False,
        "ls": {"approve": True},
        "/^cd src && make$/": {"approve": True, "matchCommandLine": True},
        "/curl.*sh/": {"approve": False, "matchCommandLine": True},
    }
}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("git status", "allow"),
        ("git status && npm test", "allow"),
        ("git push", "ask"),
        ("npm run evil", "ask"),
        ("git status; rm x", "ask"),
        ("cd src && make", "allow"),
        ("cd src && make; ls", "ask"),
        ("ls curl | git sh", "ask"),
        ("A=1 git status", "ask"),
        ("sudo git status", "ask"),
    ],
)
def test_every_command_of_a_line_must_be_approved(line: str, kind: str) -> None:
    assert judged("run_in_terminal", {"command": line}, **COMMANDS).kind == kind


# ---- lists ---------------------------------------------------------------------------------------------------------


def test_blocked_tools_and_those_off_the_list_are_denied() -> None:
    gate = {"gate": {"allow_tools": ["read_*", "x"], "block_tools": ["read_secret*"]}}
    assert judged("read_file", {}, **gate).kind == "ask"
    assert judged("x", {}, **gate).kind == "ask"
    assert judged("read_secrets", {}, **gate).reason == "gate.block_tools"
    denied = judged("write_file", {}, **gate)
    assert (denied.kind, denied.reason) == ("deny", "gate.allow_tools")
