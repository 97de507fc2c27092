from dataclasses import replace

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples

from callgate.core.calls.targets import Targets
from callgate.core.rules.policy import Call, Policy, Rule, VerdictKind
from callgate.core.rules.rule import UNPROVEN

CALL = Call("read_file", "built-in", "script", "m", '{"path":"/tmp/a"}', fingerprint="f1")


def shell(line: str, tool: str = "run_command") -> Call:
    return Call(tool, "built-in", "script", "m", orjson.dumps({"command": line}).decode())


def kind(call: Call, *rules: Rule) -> VerdictKind:
    return Policy(rules).judge(call, 0).kind


# ---- single rules --------------------------------------------------------------------------------------------------


def test_nothing_matched_means_ask() -> None:
    verdict = Policy([Rule("allow", "other")]).judge(CALL, 0)
    assert (verdict.kind, verdict.rule) == ("ask", "")


def test_deny_beats_ask_beats_allow_however_specific() -> None:
    specific_allow = Rule("allow", "read_file", when="args.path:/tmp/a")
    assert kind(CALL, specific_allow) == "allow"
    assert kind(CALL, specific_allow, Rule("ask")) == "ask"
    assert kind(CALL, specific_allow, Rule("ask"), Rule("deny")) == "deny"


def test_a_rule_that_cannot_be_read_asks_and_says_so() -> None:
    verdict = Policy([Rule("allow", "read_*"), Rule("deny", "read_*", when="args.path~'('")]).judge(CALL, 0)
    assert verdict.kind == "ask"
    assert "cannot be read" in verdict.reason


def test_an_unreadable_rule_about_other_tools_changes_nothing() -> None:
    assert kind(CALL, Rule("allow", "read_*"), Rule("deny", "write_*", when="(")) == "allow"


def test_expired_and_used_up_rules_do_not_apply() -> None:
    assert Policy([Rule("allow", expires=10.0)]).judge(CALL, 9.9).kind == "allow"
    assert Policy([Rule("allow", expires=10.0)]).judge(CALL, 10.0).kind == "ask"
    assert kind(CALL, Rule("allow", uses=0)) == "ask"


def test_a_grant_is_suspended_when_the_definition_changed() -> None:
    verdict = Policy([Rule("allow", "read_file", fingerprint="f0")]).judge(CALL, 0)
    assert verdict.kind == "ask"
    assert "definition has changed" in verdict.trace[0].outcome


def test_source_and_agent_must_fit_too() -> None:
    proven = replace(CALL, agent_proven=True)
    assert kind(proven, Rule("allow", source="built-*", agent="scr?pt")) == "allow"
    assert kind(proven, Rule("allow", source="mcp")) == "ask"
    assert kind(proven, Rule("allow", agent="codex")) == "ask"


# ---- claimed and proven names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule",
    [
        Rule("allow", agent="script"),
        Rule("allow", agent="scr*"),
        Rule("allow", agent="**"),
        Rule("allow", agent="?*"),
        Rule("allow", when="agent=script"),
        Rule("allow", when="not agent:evil"),
        Rule("allow", "read_file", when="agent~^s or tool:read_file"),
    ],
)
def test_what_allows_for_a_named_agent_counts_only_for_a_proven_name(rule: Rule) -> None:
    claimed = Policy([rule]).judge(CALL, 0)
    assert (claimed.kind, claimed.needs_proof) == ("ask", True)
    assert claimed.reason.startswith("the name script is claimed, not proven")
    assert UNPROVEN in [line.outcome for line in claimed.trace]
    proven = Policy([rule]).judge(replace(CALL, agent_proven=True), 0)
    assert (proven.kind, proven.needs_proof) == ("allow", False)


def test_a_missing_proof_is_named_only_where_it_makes_the_difference() -> None:
    for_all, for_one = Rule("allow", "read_file"), Rule("allow", agent="script")
    assert Policy([for_one, for_all]).judge(CALL, 0).kind == "allow"
    for other in (Rule("ask"), Rule("deny")):
        verdict = Policy([for_one, other]).judge(CALL, 0)
        assert (verdict.kind, verdict.needs_proof, "claimed" in verdict.reason) == (other.verdict, False, False)
    elsewhere = Policy([Rule("allow", agent="script", when="args.path:/nowhere/**")]).judge(CALL, 0)
    assert (elsewhere.reason, elsewhere.needs_proof) == ("no rule matched", False)


@pytest.mark.parametrize("verdict", ["deny", "ask"])
def test_what_restricts_counts_for_claimed_names_too(verdict: VerdictKind) -> None:
    assert kind(CALL, Rule("allow"), Rule(verdict, agent="script")) == verdict
    assert kind(CALL, Rule("allow"), Rule(verdict, when="agent:scr*")) == verdict


@pytest.mark.parametrize("when", ["not agent:script", "tool:read_* and not agent=script", "not (agent:s* or tool:x)"])
def test_a_claimed_name_does_not_get_out_of_a_rule_that_spares_it(when: str) -> None:
    rules = [Rule("allow"), Rule("deny", when=when)]
    assert kind(CALL, *rules) == "deny"
    assert kind(replace(CALL, agent_proven=True), *rules) == "allow"
    assert Policy(rules).could_refuse(CALL.tool, CALL.source, CALL.agent, 0, concerned=False)
    assert not Policy([Rule("deny", when="not agent:script")]).could_refuse(
        CALL.tool, CALL.source, CALL.agent, 0, concerned=False, agent_proven=True
    )


def test_a_claimed_name_is_not_allowed_by_waiting_for_the_deadline() -> None:
    rule = Rule("ask", agent="script", at_deadline="allow")
    assert Policy([rule]).judge(CALL, 0).at_deadline == "deny"
    assert Policy([rule]).judge(replace(CALL, agent_proven=True), 0).at_deadline == "allow"


def test_what_allows_one_item_of_a_list_does_not_allow_all() -> None:
    rule = Rule("allow", "x", when="args.files.path:/tmp/**")
    both = Call("x", "", "", arguments='{"files":[{"path":"/tmp/a"},{"path":"/etc/passwd"}]}')
    assert kind(both, rule) == "ask"
    assert kind(Call("x", "", "", arguments='{"files":[{"path":"/tmp/a"},{"path":"/tmp/b"}]}'), rule) == "allow"
    assert kind(both, Rule("deny", "x", when="args.files.path:/etc/**")) == "deny"
    endless = Call("x", "", "", arguments=orjson.dumps({"files": [{"path": "/tmp/a"}] * 1001}).decode())
    assert kind(endless, rule) == "ask"


# ---- why -----------------------------------------------------------------------------------------------------------


def test_the_trace_names_every_rule_that_was_tried_and_every_silent_layer() -> None:
    rules = [Rule("allow", "read_*"), Rule("deny", "write_*"), Rule("ask", when="args.path:/etc/**", origin="session")]
    trace = Policy(rules).judge(CALL, 0).trace
    assert [(line.layer, line.outcome) for line in trace] == [
        ("config", "matched"),
        ("session", "arguments do not match"),
        ("", "no rule about read_file"),
    ]
    assert trace[-1].rule == "settings, rules saved for everywhere, rules saved for this workspace"


def test_the_trace_tells_of_expired_unreadable_and_partly_matching_rules_and_of_concerns() -> None:
    rules = [
        Rule("allow", expires=0.0),
        Rule("allow", when="("),
        Rule("allow", when="command:'ls*'"),
        Rule("deny", when="command:'rm*'"),
    ]
    outcomes = [line.outcome for line in Policy(rules).judge(shell("ls; echo $X"), 0).trace]
    assert outcomes[0] == "expired or used up"
    assert outcomes[1].startswith("cannot be read")
    assert outcomes[2] == "allows only “ls”"
    assert outcomes[3] == "arguments do not match"
    assert outcomes[4] == "the value of $X is known only when it runs, so it asks"


def test_the_reason_is_the_note_of_the_rule_that_decided() -> None:
    assert Policy([Rule("deny", note="never")]).judge(CALL, 0).reason == "never"
    assert Policy([Rule("allow", "read_*")]).judge(CALL, 0).reason == "rule: allow read_*"


def test_no_lasting_grant_is_offered_where_a_rule_or_a_concern_forbids_it() -> None:
    assert Policy([]).judge(CALL, 0).grantable
    assert not Policy([Rule("ask", grantable=False)]).judge(CALL, 0).grantable
    assert not Policy([]).judge(shell("ls &"), 0).grantable


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        ('{"path":"/etc/passwd"}', "deny"),
        ('{"path":"/etc/passwd","x":"\\ud800"}', "deny"),
        ('{"path":"/etc/passwd","x":NaN}', "deny"),
        ('{"path":"/etc/passwd","x":1e999}', "deny"),
        ('{"path":"/etc/passwd"', "ask"),
        ('{"path":"/etc/passwd",}', "ask"),
        ('{"a":' * 2000 + "1" + "}" * 2000, "ask"),
        ("free text", "allow"),
        ("", "allow"),
    ],
)
def test_arguments_that_are_no_proper_json_slip_past_no_rule(arguments: str, verdict: VerdictKind) -> None:
    call = replace(CALL, arguments=arguments)
    assert kind(call, Rule("allow"), Rule("deny", when="args.path:/etc/**")) == verdict


def test_a_command_in_lax_json_is_still_a_command() -> None:
    lax = Call("run_command", "built-in", "script", arguments='{"command":"ls; rm x","why":"\\ud800"}')
    assert kind(lax, Rule("allow", when="command:ls")) == "ask"
    assert kind(lax, Rule("allow"), Rule("deny", when="command:rm*")) == "deny"


# ---- shell lines ---------------------------------------------------------------------------------------------------

LS, GIT = Rule("allow", when="command:'ls*'", id="ls"), Rule("allow", when="command:'git *'", id="git")


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("ls -la", "allow"),
        ("ls && git status", "allow"),
        ("ls; rm x", "ask"),
        ("ls | rm x", "ask"),
        ("ls\nrm x", "ask"),
        ("ls $(rm x)", "ask"),
        ("ls &", "ask"),
        ("ls > /etc/x", "ask"),
        ("l''s", "allow"),
    ],
)
def test_every_command_must_be_allowed_and_nothing_be_a_concern(line: str, verdict: VerdictKind) -> None:
    assert kind(shell(line), LS, GIT) == verdict


def test_an_allowed_line_names_all_rules_that_it_rests_on() -> None:
    verdict = Policy([LS, GIT]).judge(shell("git log; ls; git status"), 0)
    assert verdict.rule_ids == ("git", "ls")
    assert verdict.rule_id == "git"


def test_an_unallowed_command_is_named() -> None:
    verdict = Policy([LS, GIT]).judge(shell("ls; rm x; git log"), 0)
    assert verdict.reason == "no rule allows “rm x”"


@pytest.mark.parametrize(
    "line", ["rm x", "ls; rm x", "ls $(rm x)", "sudo rm x", "/bin/rm x", "r''m x", "xargs rm", "ls ; ; rm x", "\\rm x"]
)
def test_one_denied_command_denies_the_line_however_it_is_dressed(line: str) -> None:
    assert kind(shell(line), Rule("allow"), Rule("deny", when="command:'rm*'")) == "deny"


@pytest.mark.parametrize("field", ["args.command:'ls*'", "ls", "'ls'", "args.command~^ls"])
def test_a_rule_on_the_argument_or_on_words_cannot_cover_what_is_appended(field: str) -> None:
    rule = Rule("allow", "run_command", when=field)
    assert kind(shell("ls -la"), rule) == "allow"
    assert kind(shell("ls; rm x"), rule) == "ask"


def test_a_rule_without_expression_covers_every_command_but_no_concern() -> None:
    assert kind(shell("ls; rm x"), Rule("allow", "run_command")) == "allow"
    assert kind(shell("ls; rm $X"), Rule("allow", "run_command")) == "ask"


def test_a_rule_on_the_whole_line_may_allow_it_or_deny_it() -> None:
    assert kind(shell("ls && rm x"), Rule("allow", when="line='ls && rm x'")) == "allow"
    assert kind(shell("ls && rm x"), Rule("allow"), Rule("deny", when="line~'&&'")) == "deny"
    assert kind(shell("ls && rm x"), Rule("allow"), Rule("deny", when="args.command~'&&'")) == "deny"


def test_a_rule_that_denies_all_but_some_spares_exactly_those() -> None:
    rules = (Rule("allow"), Rule("deny", when="not command:'./gradlew *'"))
    assert kind(shell("./gradlew build"), *rules) == "allow"
    assert kind(shell("./gradlew build; ls"), *rules) == "deny"
    assert kind(shell("sudo ./gradlew build"), *rules) == "deny"


def test_an_exception_within_a_rule_that_denies_holds_for_wrapped_commands_too() -> None:
    rules = (Rule("allow"), Rule("deny", when="command:'rm *' and not command:'rm -i *'"))
    assert kind(shell("sudo rm x"), *rules) == "deny"
    assert kind(shell("rm -i x"), *rules) == "allow"


@pytest.mark.parametrize(
    ("line", "when", "verdict"),
    [
        ("find . -name x", "command:'find *'", "allow"),
        ("find . -exec rm {} +", "command:'find *'", "ask"),
        ("find . -exec rm {} \\;", "command:'find *'", "ask"),
        ("find . -exec grep a {} +", "command:'find *' or command:'grep *'", "allow"),
        ("ls | xargs rm", "command:'xargs *' or command:ls", "ask"),
        ("ls | xargs -0 -n 1 rm", "command:'xargs *' or command:ls", "ask"),
        ("ls | xargs grep a", "command:'xargs grep *' or command:ls", "allow"),
        ("ls | xargs rm -f", "command:'xargs grep *' or command:ls", "ask"),
        ("sudo rm x", "command:'sudo *'", "ask"),
        ("sudo -u bob -- rm x", "command:'sudo *'", "ask"),
        ("sudo nice rm x", "command:'sudo nice *'", "ask"),
        ("sudo nice ls", "command:'sudo nice *' or command:ls", "allow"),
        ("sudo ls /", "command:'sudo ls *'", "allow"),
        ("sudo ls /", "command~'^sudo ls( |$)'", "allow"),
        ("timeout 5 make test", "command='timeout 5 make test'", "allow"),
        ("timeout 5 make test", "command:'timeout *'", "ask"),
        ("timeout 5 rm x", "line='timeout 5 rm x'", "allow"),
        ("/lib64/ld-linux-x86-64.so.2 /bin/rm x", "command:'/lib64/*'", "ask"),
        ("command -v git", "command:'command -v *'", "allow"),
        ("time -p ls", "command:'time *' or command:ls", "allow"),
    ],
)
def test_what_a_command_runs_in_turn_must_be_allowed_or_named(line: str, when: str, verdict: VerdictKind) -> None:
    assert kind(shell(line), Rule("allow", when=when)) == verdict


def test_what_is_not_allowed_of_a_wrapped_command_is_named() -> None:
    verdict = Policy([Rule("allow", when="command:'sudo *'")]).judge(shell("sudo rm x"), 0)
    assert verdict.reason == "no rule allows “rm x”"
    assert kind(shell("sudo rm x"), Rule("allow")) == "allow"


def test_a_rule_that_restricts_sees_a_wrapped_command_with_its_wrapper() -> None:
    rules = (Rule("allow"), Rule("deny", when="not command:'timeout *'"))
    assert kind(shell("timeout 5 ls"), *rules) == "allow"
    assert kind(shell("ls"), *rules) == "deny"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("run_command", {"command": "echo x > callgate.toml"}),
        ("run_command", {"command": "cp x ./sub/Callgate.toml"}),
        ("run_command", {"command": "tee -a ~/.local/share/callgate/rules.toml"}),
        ("write_file", {"path": "/home/me/.config/callgate/callgate.toml"}),
        ("Edit", {"file_path": "data/callgate/rules.toml"}),
    ],
)
def test_no_rule_lets_a_call_write_the_rules(tool: str, arguments: dict[str, str]) -> None:
    call = Call(tool, "built-in", "script", arguments=orjson.dumps(arguments).decode())
    verdict = Policy([Rule("allow")]).judge(call, 0)
    assert (verdict.kind, verdict.grantable) == ("ask", False)


def test_other_files_of_like_names_are_as_any() -> None:
    for name in ("my-callgate.toml", "rules.toml", "callgate.tomlx"):
        call = Call("write_file", "built-in", "script", arguments=orjson.dumps({"path": name}).decode())
        assert kind(call, Rule("allow")) == "allow"


def test_every_file_that_a_call_changes_must_be_allowed() -> None:
    rules = (Rule("allow", when="edits:'src/**'"), Rule("allow", when="edits:'docs/**'"))
    for targets, verdict in ((("src/a", "docs/b"), "allow"), (("src/a", "etc/b"), "ask")):
        assert kind(Call("move", "", "", targets=Targets(edits=targets)), *rules) == verdict


@pytest.mark.parametrize(
    "url", ["https://x@evil.com/", "https://evil.com\\/x", "http://evil.com../", "https://evil.com/%2e%2e/a"]
)
def test_an_address_in_disguise_slips_past_no_rule(url: str) -> None:
    fetch = Call("fetch", "built-in", "script", arguments=orjson.dumps({"url": url}).decode())
    rules = (Rule("allow"), Rule("deny", when="urls:'https://evil.com/**'"))
    assert kind(fetch, *rules) == "ask"
    assert kind(replace(fetch, arguments='{"url":"https://EVIL.com:443/x"}'), *rules) == "deny"
    assert kind(replace(fetch, arguments='{"url":"https://good.com/x"}'), *rules) == "allow"


# ---- time ----------------------------------------------------------------------------------------------------------

SLOW = "args.path~'(a|aa)+$'"
LONG = Call("read_file", "built-in", "script", arguments='{"path":"' + "a" * 60 + '!"}')


def test_a_pattern_that_takes_too_long_asks() -> None:
    assert kind(LONG, Rule("allow", when=SLOW)) == "ask"


def test_after_some_slow_patterns_only_rules_that_deny_are_still_tried() -> None:
    verdict = Policy([*[Rule("allow", when=SLOW)] * 50, Rule("deny", when="args.path~'a!'")]).judge(LONG, 0)
    assert verdict.kind == "deny"
    assert sum("not tried" in line.outcome for line in verdict.trace) == 47


def test_a_tool_glob_that_takes_too_long_asks() -> None:
    call = Call("a" * 4000, "", "")
    assert kind(call, Rule("allow"), Rule("deny", "*a" * 30 + "b")) == "ask"


# ---- before the arguments are known --------------------------------------------------------------------------------


def could(*rules: Rule, tool: str = "read_file", tags: tuple[str, ...] = ()) -> bool:
    return Policy(rules).could_refuse(tool, "built-in", "script", 0, tags=tags)


def test_a_call_that_no_arguments_could_make_refused_need_not_be_held_back() -> None:
    assert not could(Rule("allow"))
    assert could(Rule("deny", when="args.path:/etc/**"))
    assert could(Rule("allow", when="args.path~x"))
    assert not could(Rule("deny", expires=0.0))


def test_rules_on_names_alone_are_settled_before_the_arguments() -> None:
    listed = Rule("deny", when="not (tool:read_* or tool:x)")
    assert not could(listed)
    assert could(listed, tool="write_file")


def test_where_only_rules_count_a_shell_is_held_back_for_rules_alone() -> None:
    assert Policy([]).could_refuse("Bash", "client", "a", 0)
    assert not Policy([]).could_refuse("Bash", "client", "a", 0, concerned=False)
    deny = Policy([Rule("deny", when="command:'rm *'")])
    assert deny.could_refuse("Bash", "client", "a", 0, concerned=False)
    assert not deny.could_refuse("Edit", "client", "a", 0, concerned=False)


def test_rules_on_commands_hold_back_only_shells() -> None:
    rule = Rule("ask", when="command~'^rm'")
    assert not could(rule)
    assert could(rule, tool="bash") and could(tool="bash")
    assert could(rule, tool="x", tags=("terminal",))


# ---- results -------------------------------------------------------------------------------------------------------


def test_a_rule_may_want_the_result_reviewed() -> None:
    policy = Policy([Rule("allow", "fetch_*", note="look", id="r", review=True), Rule("allow")])
    verdict = policy.wants_review(Call("fetch_url", "", ""), 0)
    assert verdict is not None
    assert (verdict.reason, verdict.rule_id) == ("look", "r")
    assert policy.wants_review(CALL, 0) is None
    assert policy.could_review("fetch_url", "", "")
    assert not policy.could_review(CALL.tool, CALL.source, CALL.agent)


def test_a_review_is_wanted_where_a_rule_cannot_be_read_and_not_where_it_is_over() -> None:
    assert Policy([Rule("allow", when="(", review=True)]).wants_review(CALL, 0) is not None
    assert Policy([Rule("allow", expires=0.0, review=True)]).wants_review(CALL, 0) is None
    assert Policy([Rule("allow", when="args.path:/x", review=True)]).wants_review(CALL, 0) is None


# ---- for all -------------------------------------------------------------------------------------------------------

ORDER: tuple[VerdictKind, ...] = ("allow", "ask", "deny")
verdicts = st.sampled_from(["allow", "ask", "deny"])
whens = st.sampled_from(
    ["", "args.path:/tmp/**", "args.path:/etc/**", "(", "command:'ls*'", "not command:'git *'", "command~'rm'", "ls"]
)
rules = st.builds(Rule, verdicts, st.sampled_from(["*", "read_*", "read_file", "run_command"]), when=whens)
lines = st.sampled_from(["ls", "ls; rm x", "git a | ls", "echo $(ls)", "sudo rm x", "ls &", "'"])
calls = st.one_of(st.just(CALL), st.builds(shell, lines))


@given(st.lists(rules, max_size=6), rules, st.integers(0, 6), calls)
def test_adding_a_deny_rule_never_widens_access(before: list[Rule], extra: Rule, at: int, call: Call) -> None:
    deny = Rule("deny", extra.tool, when=extra.when)
    old, new = kind(call, *before), kind(call, *before[:at], deny, *before[at:])
    assert ORDER.index(new) >= ORDER.index(old)


@given(st.lists(rules, max_size=6), calls)
def test_a_tool_that_nothing_could_refuse_is_never_refused(all_rules: list[Rule], call: Call) -> None:
    policy = Policy(all_rules)
    if not policy.could_refuse(call.tool, call.source, call.agent, 0):
        assert policy.judge(call, 0).kind != "deny"


CONCERNS = ["$(rm x)", "`rm x`", "<(rm x)", "> /etc/x", "&", "$X", "<<E\nrm\nE", "; A=1 ls", "; eval x", "{a,b}", "'"]


@given(st.lists(st.builds(Rule, st.just("allow"), when=whens), min_size=1), st.sampled_from(CONCERNS))
def test_a_line_with_any_concern_is_never_allowed_by_rule(allows: list[Rule], concern: str) -> None:
    call = shell(f"ls {concern}")
    assert Policy(allows).judge(call, 0).kind == "ask"


words = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=12)
glue = st.sampled_from(
    ["; {}", "&& {}", "| {}", "\n{}", "$({})", "|| {}", "`{}`", "; ({})", "& {}", "<({})", "\n\n {}"]
)


@settings(max_examples=examples(300))
@given(st.sampled_from(["ls", "ls -la", "ls 'a b'", "ls \\", 'ls "', "ls '", "ls #"]), glue, words)
def test_appending_an_unallowed_command_never_becomes_allowed(line: str, joint: str, tail: str) -> None:
    rule = Rule("allow", "run_command", when="command~'^ls( |$)'")
    appended = joint.format(f"rm {tail}")
    verdict = Policy([rule]).judge(shell(f"{line} {appended}"), 0)
    # behind a quote, a comment sign or a backslash it is an argument of ls, or nothing at all
    if verdict.kind == "allow":
        assert line.endswith(("\\", '"', "'", "#"))
        assert all(command.startswith("ls") for command in shell(f"{line} {appended}").reached().commands)


@given(st.sampled_from([";", "&&", "||", "|", "\n", "&"]), words)
def test_whatever_the_appended_command_is_the_allowed_one_does_not_cover_it(joint: str, tail: str) -> None:
    rule = Rule("allow", "run_command", when="command='ls'")
    assert kind(shell(f"ls {joint} rm{tail}"), rule) == "ask"


# ---- sub-agents ----------------------------------------------------------------------------------------------------


def test_a_rule_for_the_agent_itself_does_not_cover_its_sub_agents() -> None:
    own = Rule("allow", "read_file", sub_agents=False)
    child = replace(CALL, sub_agent="a1")
    assert (kind(CALL, own), kind(child, own)) == ("allow", "ask")
    assert Policy([own]).judge(child, 0).trace[0].outcome == "does not cover sub-agents"
    assert kind(child, own, Rule("allow", "read_file")) == "allow"


def test_calling_itself_a_sub_agent_spares_nobody_what_denies_asks_or_reviews() -> None:
    child = replace(CALL, sub_agent="a1")
    assert kind(child, Rule("deny", sub_agents=False)) == "deny"
    assert kind(child, Rule("allow"), Rule("ask", sub_agents=False)) == "ask"
    assert Policy([Rule("allow", review=True, sub_agents=False)]).wants_review(child, 0) is not None
