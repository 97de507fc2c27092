"""What a changed file widens does not count; what it narrows does, at once. Also for changes that nobody thought of."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.config.items import Items, json_content, json_items, rule_items, settings_items, settings_of
from callgate.core.config.settings import RuleSettings, Settings, UpstreamSettings
from callgate.core.config.widening import accept, carry, compare
from callgate.core.rules.policy import Call, Policy, Rule

TOOLS = ("read", "write", "run")
AGENTS = ("a", "b")
NOW = 1000.0
SOON, LATE = "1970-01-01T00:10:00+00:00", "1970-01-01T01:00:00+00:00"
"""Before and after NOW."""


def settings(**sections: Any) -> Items:
    return settings_items(Settings.model_validate(sections))


def rules(*tables: dict[str, Any]) -> Items:
    return rule_items(tables)


def words(accepted: Items, found: Items) -> list[str]:
    return [one.words for one in compare("f", accepted, found).widenings]


# ---- rules ---------------------------------------------------------------------------------------------------------

TABLES = st.fixed_dictionaries(
    {"verdict": st.sampled_from(("allow", "ask", "deny")), "tool": st.sampled_from((*TOOLS, "*"))},
    optional={
        "agent": st.sampled_from(AGENTS),
        "when": st.sampled_from(("args.p=x", "args.p:y*", "args.p=(")),
        "uses": st.integers(0, 2),
        "expires": st.sampled_from((SOON, LATE)),
        "review": st.booleans(),
        "at_deadline": st.sampled_from(("allow", "deny")),
        "note": st.sampled_from(("", "why")),
    },
).map(lambda table: table if table["verdict"] == "ask" else {**table, "at_deadline": "deny"})
BOOKS = st.lists(TABLES, max_size=5)
CALLS = st.builds(
    lambda tool, agent, p: Call(tool, "s", agent, "", json.dumps({"p": p})),
    st.sampled_from(TOOLS),
    st.sampled_from(AGENTS),
    st.sampled_from(("x", "y", "yy", "z")),
)
RANK = {"deny": 0, "ask": 1, "allow": 2}


def policy(items: Items) -> Policy:
    found: list[Rule] = []
    for value in items.values():
        table: dict[str, Any] = dict(value)  # type: ignore[call-overload]
        ends = {"": None, SOON: 600.0, LATE: 3600.0}[table.pop("expires", "")]
        found.append(Rule(**table, expires=ends))
    return Policy(found)


def outcome(book: Policy, call: Call) -> tuple[int, bool, bool]:
    """The higher, the more happens: the verdict, whether it may run when nobody decides, whether results go unseen."""
    verdict = book.judge(call, NOW)
    late = verdict.kind == "allow" or (verdict.kind == "ask" and verdict.at_deadline == "allow")
    return RANK[verdict.kind], late, book.wants_review(call, NOW) is None


@given(BOOKS, BOOKS, CALLS)
def test_what_holds_lets_nothing_happen_that_was_not_accepted_and_nothing_that_is_denied_by_now(
    old: list[dict[str, Any]], new: list[dict[str, Any]], call: Call
) -> None:
    accepted, found = rule_items(old), rule_items(new)
    holding = policy(compare("f", accepted, found).holding)
    now, was, then = outcome(holding, call), outcome(policy(accepted), call), outcome(policy(found), call)
    assert all(one <= other for one, other in zip(now, was, strict=True)), "wider than what was accepted"
    assert now[0] <= then[0], "wider than what was found"


@given(BOOKS, BOOKS, CALLS)
def test_where_no_widening_is_shown_the_file_counts_as_it_is(
    old: list[dict[str, Any]], new: list[dict[str, Any]], call: Call
) -> None:
    accepted, found = rule_items(old), rule_items(new)
    compared = compare("f", accepted, found)
    if not compared.widenings:
        assert outcome(policy(compared.holding), call) == outcome(policy(found), call)


@given(BOOKS, BOOKS)
def test_after_everything_is_accepted_the_file_counts_and_nothing_more_is_shown(
    old: list[dict[str, Any]], new: list[dict[str, Any]]
) -> None:
    found = rule_items(new)
    compared = compare("f", rule_items(old), found)
    after = accept(compared.holding, compared.widenings)
    again = compare("f", after, found)
    assert not again.widenings
    assert sorted(again.holding) == sorted(found)


@given(BOOKS, BOOKS, BOOKS, CALLS)
def test_narrowing_that_was_taken_in_cannot_be_taken_back_unseen(
    old: list[dict[str, Any]], narrowed: list[dict[str, Any]], new: list[dict[str, Any]], call: Call
) -> None:
    settled = compare("f", rule_items(old), rule_items(narrowed)).holding
    holding = compare("f", settled, rule_items(new)).holding
    assert all(a <= b for a, b in zip(outcome(policy(holding), call), outcome(policy(settled), call), strict=True))


ALLOW, DENY = {"verdict": "allow", "tool": "git"}, {"verdict": "deny", "tool": "rm"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ([], [ALLOW], ["Allows git without asking"]),
        ([DENY], [], ["No longer denies rm"]),
        ([DENY], [{**DENY, "when": "args.p=x"}], ["No longer denies rm"]),
        ([{**ALLOW, "uses": 1}], [{**ALLOW, "uses": 9}], ["Changes how long or how often a rule counts: allow git"]),
        ([{**ALLOW, "expires": SOON}], [ALLOW], ["Changes how long or how often a rule counts: allow git"]),
        ([{**DENY, "expires": LATE}], [{**DENY, "expires": SOON}], [
            "Changes how long or how often a rule counts: deny rm"]),
        ([], [{"verdict": "ask", "tool": "x", "at_deadline": "allow"}], ["Allows x when nobody decides in time"]),
        ([{**ALLOW, "review": True}], [ALLOW], ["Allows git without asking", "No longer reviews the results of git"]),
        ([{**ALLOW, "fingerprint": "f"}], [ALLOW], ["Allows git without asking"]),
        ([{**ALLOW, "uses": 1, "note": "a"}], [{**ALLOW, "uses": 1, "note": "b"}], ["Allows git without asking"]),
        ([ALLOW], [], []),
        ([], [DENY], []),
        ([ALLOW], [{**ALLOW, "when": "args.p=x"}], []),
        ([ALLOW], [{**ALLOW, "review": True}], []),
        ([ALLOW], [{**ALLOW, "sub_agents": False}], []),
        ([{**ALLOW, "sub_agents": False}], [ALLOW], ["Allows git without asking"]),
        ([ALLOW], [{**ALLOW, "note": "why", "id": "r"}], []),
        ([DENY], [{**DENY, "tool": "*"}], []),
        ([{**ALLOW, "expires": LATE}], [{**ALLOW, "expires": SOON}], []),
        ([], [{**ALLOW, "when": "args.p=("}], []),
    ],
)  # fmt: skip
def test_differences_of_rules_are_named(old: list[Any], new: list[Any], said: list[str]) -> None:
    assert words(rules(*old), rules(*new)) == said


def test_an_old_count_of_uses_or_a_later_start_of_a_limited_time_does_not_count() -> None:
    accepted: Items = {"spent:r": 3, "on:chat": 100.0}
    compared = compare("f", accepted, {"spent:r": 0, "on:chat": 900.0})
    assert compared.holding == accepted and len(compared.widenings) == 2
    assert compare("f", accepted, {}).holding == accepted
    assert compare("f", accepted, {"spent:r": 4, "on:chat": 90.0}).widenings == ()


def edits_of(patterns: dict[str, bool]) -> dict[str, Any]:
    return {"tools": {"edits": {"autoApprove": patterns}}}


# ---- settings ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "loose"),
    [
        ("server", {"host": "0.0.0.0"}),
        ("server", {"port": 9}),
        ("server", {"rate_limit": ""}),
        ("server", {"rate_limit": "11/second"}),
        ("server", {"tool_history": "repair"}),
        ("gate", {"client_tools": "observe"}),
        ("gate", {"deadline_seconds": 1}),
        ("gate", {"tool_timeout_seconds": 600}),
        ("gate", {"result_tokens": 0}),
        ("builtin", {"web": True}),
        ("tools", {"sandbox": "off"}),
        ("tools", {"sandbox_network": True}),
        ("tools", {"environment": ["OPENAI_API_KEY"]}),
        ("journal", {"keep_secrets": True}),
        ("journal", {"keep_days": 1}),
        ("tokenizers", {"openai": "/x/tokenizer.json"}),
        ("chat", {"tools": {"global": {"autoApprove": True, "acknowledged": True}}}),
        ("chat", {"tools": {"edits": {"autoApprove": {"**": True}}}}),
        ("chat", {"tools": {"urls": {"autoApprove": {"https://*.example": True}}}}),
        ("chat", {"tools": {"terminal": {"autoApprove": {"rm": True}}}}),
    ],
)
def test_a_loosened_setting_keeps_its_accepted_value_and_tightening_it_again_counts(
    section: str, loose: dict[str, Any]
) -> None:
    plain, found = settings(), settings(**{section: loose})
    compared = compare("f", plain, found)
    assert len(compared.widenings) == 1 and settings_of(compared.holding) == Settings()
    accepted = accept(compared.holding, compared.widenings)
    assert settings_of(accepted) == Settings.model_validate({section: loose})


@pytest.mark.parametrize(
    ("section", "old", "new"),
    [
        ("server", {"token": ""}, {"token": "secret"}),
        ("server", {"rate_limit": "10/minute"}, {"rate_limit": "5/minute"}),
        ("gate", {}, {"deadline_seconds": 900}),
        ("gate", {"client_tools": "observe"}, {}),
        ("gate", {}, {"tools_enabled": False}),
        ("gate", {"block_tools": ["a"]}, {"block_tools": ["a", "b"]}),
        ("gate", {"allow_tools": ["a", "b"]}, {"allow_tools": ["a"]}),
        ("gate", {}, {"allow_tools": ["a"]}),
        ("tools", {}, {"sandbox": "required"}),
        ("journal", {"keep_secrets": True}, {}),
        ("chat", edits_of({"a": True, "b": True}), edits_of({"b": True, "c": False})),
        ("chat", {"tools": {"global": {"autoApprove": True, "acknowledged": True}}}, {}),
        ("chat", {}, {"tools": {"eligibleForAutoApproval": {"x": False}}}),
    ],
)  # fmt: skip
def test_a_tightened_setting_counts_at_once(section: str, old: dict[str, Any], new: dict[str, Any]) -> None:
    compared = compare("f", settings(**{section: old}), settings(**{section: new}))
    assert compared.widenings == ()
    assert settings_of(compared.holding) == Settings.model_validate({section: new})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"allow_tools": ["a"]}, {}),
        ({"allow_tools": ["a"]}, {"allow_tools": ["b"]}),
        ({"block_tools": ["a", "b"]}, {"block_tools": ["b"]}),
        ({"tools_enabled": False}, {}),
    ],
)
def test_dropping_a_restriction_widens(old: dict[str, Any], new: dict[str, Any]) -> None:
    compared = compare("f", settings(gate=old), settings(gate=new))
    assert (
        len(compared.widenings) == 1
        and settings_of(compared.holding).gate == Settings.model_validate({"gate": old}).gate
    )


def test_an_order_of_patterns_that_approves_more_widens_and_refusals_count_meanwhile() -> None:
    def edits(**patterns: bool) -> Items:
        return settings(chat={"tools": {"edits": {"autoApprove": patterns}}})

    compared = compare("f", edits(a=True, b=False), edits(b=False, a=True))
    assert len(compared.widenings) == 1
    mixed = compare("f", edits(a=True), edits(c=True, d=False, a=True))
    held = settings_of(mixed.holding).chat.tools.edits.auto_approve
    assert len(mixed.widenings) == 1 and held == {"a": True, "d": False} and list(held) == ["a", "d"]


def test_an_address_that_was_refused_or_reviewed_stays_so() -> None:
    def urls(patterns: dict[str, Any]) -> Items:
        return settings(chat={"tools": {"urls": {"autoApprove": patterns}}})

    reviewed = {"https://a.example": {"approveRequest": True, "approveResponse": False}, "https://*": True}
    assert len(compare("f", urls(reviewed), urls({"https://*": True})).widenings) == 1


def test_a_setting_that_is_not_known_widens_when_it_changes() -> None:
    for accepted, found in (
        ({}, {"setting:future.door": "open"}),
        ({"setting:future.door": 1}, {}),
        ({}, {"odd:x": 1}),
    ):
        assert len(compare("f", accepted, found).widenings) == 1


# ---- sources, endpoints, switches ----------------------------------------------------------------------------------

GIT = {"name": "git", "kind": "mcp", "command": ["git-server"]}
OPENAI = {"name": "openai", "wire": "openai-chat", "base_url": "https://api.example/v1", "key_env": "KEY"}


@pytest.mark.parametrize(
    "change", [{"command": ["sh", "-c", "x"]}, {"env": {"PATH": "/evil"}}, {"cwd": "/x"}, {"enabled": True}]
)
def test_a_source_that_was_changed_stays_as_it_was_accepted(change: dict[str, Any]) -> None:
    accepted = settings(sources=[{**GIT, "enabled": False}])
    compared = compare("f", accepted, settings(sources=[{**GIT, "enabled": False, **change}]))
    assert len(compared.widenings) == 1 and compared.holding == accepted
    assert compare("f", accepted, settings()).widenings == ()


@pytest.mark.parametrize("change", [{"base_url": "https://evil.example/v1"}, {"key_env": "OTHER"}, {"key": "keyring"}])
def test_an_endpoint_that_was_changed_never_gets_a_key(change: dict[str, Any]) -> None:
    accepted = settings(upstreams=[OPENAI])
    compared = compare("f", accepted, settings(upstreams=[{**OPENAI, **change}]))
    assert len(compared.widenings) == 1 and compared.holding == accepted
    assert compare("f", accepted, settings(upstreams=[{**OPENAI, "models": ["gpt-*"]}])).widenings == ()


def test_another_order_of_endpoints_waits_too() -> None:
    one, two = OPENAI, {**OPENAI, "name": "two"}
    compared = compare("f", settings(upstreams=[one, two]), settings(upstreams=[two, one]))
    assert [item.words for item in compared.widenings] == ["Changes which endpoint comes first"]
    assert [each.name for each in settings_of(compared.holding).upstreams] == ["openai", "two"]


def test_switching_off_counts_and_switching_on_waits() -> None:
    def switches(**tools: bool) -> Items:
        return json_items(
            "switches", [{"source": "s", "tool": tool, "agent": "", "enabled": on} for tool, on in tools.items()]
        )

    assert words(switches(a=False), switches(a=False, b=False)) == []
    assert words(switches(a=False), switches()) == ["Switches a of s on"]
    assert words(switches(), switches(a=True)) == ["Switches a of s on"]
    assert words({"enabled:git": False}, {"enabled:git": True}) == ["Switches the source git on"]


def test_registered_tools_wait() -> None:
    tool = {"name": "t", "callback_url": "http://127.0.0.1:1/x"}
    assert words({}, json_items("tools", [tool])) == ["Adds the registered tool t, answered by http://127.0.0.1:1/x"]


def test_tokens_of_agents_and_web_pages_wait_and_taking_them_away_counts() -> None:
    one, two = ({"id": name, "name": name, "sha256": name, "created": 1.0} for name in ("a", "b"))
    first, both = (json_items("agents", {"version": 1, "tokens": tokens}) for tokens in ([one], [one, two]))
    compared = compare("f", first, both)
    assert [item.words for item in compared.widenings] == ["Adds a token that proves the name of the agent b"]
    assert json_content("agents", compared.holding) == {"version": 1, "tokens": [one]}
    assert compare("f", both, first).widenings == ()
    stolen = json_items("agents", {"version": 1, "tokens": [{**one, "sha256": "other"}]})
    assert compare("f", first, stolen).holding == first
    was = json_items("origins", {"allowed": ["http://a"], "denied": ["http://b"]})
    now = json_items("origins", {"allowed": ["http://c"], "denied": ["http://d"]})
    compared = compare("f", was, now)
    assert json_content("origins", compared.holding) == {"allowed": [], "denied": ["http://d", "http://b"]}
    assert len(compared.widenings) == 2


# ---- accepting and writing -----------------------------------------------------------------------------------------


def test_accepting_one_of_two_leaves_the_other_waiting() -> None:
    found = rules(ALLOW, {"verdict": "allow", "tool": "npm"})
    compared = compare("f", {}, found)
    after = accept(compared.holding, compared.widenings[:1])
    assert [one.what for one in compare("f", after, found).widenings] == [compared.widenings[1].what]


def test_what_is_accepted_is_what_was_shown_and_not_what_the_file_says_by_then() -> None:
    shown = compare("f", {}, settings(upstreams=[OPENAI]))
    after = accept(shown.holding, shown.widenings)
    swapped = settings(upstreams=[{**OPENAI, "base_url": "https://evil.example/v1"}])
    assert len(compare("f", after, swapped).widenings) == 1


def test_a_change_of_our_own_is_accepted_and_takes_nothing_else_with_it() -> None:
    planted = {"verdict": "allow", "tool": "*"}
    before, after = rules(planted), rules(planted, ALLOW)
    accepted = carry({}, before, after)
    assert accepted == rules(ALLOW)
    limited = {**ALLOW, "uses": 5}
    touched = carry({}, rules(limited), rules({**limited, "uses": 4}))
    assert touched == {}, "a use of a rule that was never accepted accepts nothing"
    extended = carry(
        rules({**ALLOW, "uses": 5, "id": "r"}),
        rules({**ALLOW, "uses": 5, "id": "evil"}),
        rules({**ALLOW, "uses": 4, "id": "evil"}),
    )
    assert extended == rules({**ALLOW, "uses": 4, "id": "r"})


@given(BOOKS, BOOKS, TABLES)
def test_a_rule_that_the_person_adds_never_brings_another_along(
    old: list[dict[str, Any]], planted: list[dict[str, Any]], added: dict[str, Any]
) -> None:
    before, after = rule_items(planted), rule_items([*planted, added])
    holding = compare("f", rule_items(old), before).holding
    carried = carry(holding, before, after)
    assert set(carried) - set(holding) <= set(after) - set(before)


# ---- items ---------------------------------------------------------------------------------------------------------


def test_settings_survive_being_taken_apart() -> None:
    said = Settings.model_validate(
        {
            "server": {"token": "t"},
            "upstreams": [OPENAI, {**OPENAI, "name": "two"}],
            "sources": [GIT, {"name": "c", "kind": "command", "tools": [{"name": "t", "argv": ["ls"], "schema": {}}]}],
            "rules": [ALLOW, ALLOW, {**DENY, "matches": ["{}"]}],
            "chat": {
                "tools": {"global": {"minutes": 5}, "urls": {"autoApprove": {"https://a": {"approveRequest": True}}}}
            },
            "tokenizers": {"openai": "/x.json"},
        }
    )
    assert settings_of(json.loads(json.dumps(settings_items(said)))) == said
    assert isinstance(said.rules[0], RuleSettings) and isinstance(said.upstreams[0], UpstreamSettings)
