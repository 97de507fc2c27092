"""Rules from three layers, changed for good, and never loosened by a bad file."""

from pathlib import Path

import pytest

from callgate.core.config.settings import RuleSettings, Settings
from callgate.core.errors import UserFault
from callgate.core.rules.policy import Call, Policy, Rule
from callgate.store.rulebook import GrantScope, Rulebook

ALLOW = Rule("allow", "read_file")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rules.toml"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def configured(**more: object) -> RuleSettings:
    return RuleSettings.model_validate({"verdict": "allow", "tool": "c", **more})


def test_the_layers_come_in_order_and_say_where_they_are_from(path: Path, workspace: Path) -> None:
    book = Rulebook(path, [configured()], workspace)
    book.add(Rule("ask", "s"), "session")
    book.add(Rule("ask", "w"), "workspace")
    book.add(Rule("ask", "a"), "always")
    assert [(rule.origin, rule.tool) for rule in book.rules()] == [
        ("config", "c"),
        ("always", "a"),
        ("workspace", "w"),
        ("session", "s"),
    ]
    assert len({rule.id for rule in book.rules()}) == 4


def test_saved_grants_outlive_the_program_and_session_ones_do_not(path: Path, workspace: Path) -> None:
    book = Rulebook(path, (), workspace)
    always, here = book.add(ALLOW, "always"), book.add(ALLOW, "workspace")
    book.add(ALLOW, "session")
    assert Rulebook(path, (), workspace).rules() == (always, here)


def test_a_workspace_grant_counts_only_there(path: Path, workspace: Path, tmp_path: Path) -> None:
    Rulebook(path, (), workspace).add(ALLOW, "workspace")
    assert Rulebook(path, (), tmp_path).rules() == ()
    assert Rulebook(path).rules() == ()
    assert len(Rulebook(path, (), workspace / ".." / "project").rules()) == 1


def test_a_workspace_grant_without_a_workspace_is_refused(path: Path) -> None:
    with pytest.raises(UserFault, match="No workspace"):
        Rulebook(path).add(ALLOW, "workspace")


def test_configured_expiries_are_moments(path: Path) -> None:
    (rule,) = Rulebook(path, [configured(expires="2030-01-01T00:00:00Z")]).rules()
    assert rule.expires == 1893456000.0


def test_a_configured_rule_with_a_bad_expiry_asks_and_is_reported(path: Path) -> None:
    book = Rulebook(path, [configured(expires="soon")])
    (rule,) = book.rules()
    assert (rule.verdict, rule.tool) == ("ask", "c")
    (fault,) = book.faults()
    assert "rule for c: expires" in fault


def test_a_granted_rule_can_be_removed_for_good(path: Path, workspace: Path) -> None:
    book = Rulebook(path, (), workspace)
    for scope in ("always", "workspace", "session"):
        rule = book.add(ALLOW, scope)
        assert book.remove(rule.id)
        assert not book.remove(rule.id)
    assert book.rules() == ()
    assert Rulebook(path, (), workspace).rules() == ()


def global_approval(**more: object) -> Settings:
    return Settings.model_validate({"chat": {"tools": {"global": more}}})


ON = global_approval(autoApprove=True, acknowledged=True, minutes=10.0)
OFF = global_approval(autoApprove=False)


def test_what_settings_mean_comes_first_and_is_changed_only_where_it_is_set(path: Path) -> None:
    settings = Settings.model_validate({"gate": {"block_tools": ["x"]}, "rules": [{"verdict": "ask"}]})
    book = Rulebook(path, settings)
    assert [(rule.origin, rule.note) for rule in book.rules()] == [("setting", "gate.block_tools"), ("config", "")]
    with pytest.raises(UserFault, match=r"is the setting gate\.block_tools"):
        book.remove(book.rules()[0].id)
    book.configure(Settings())
    assert book.rules() == ()


def test_approving_everything_ends_by_itself_and_a_restart_does_not_make_it_longer(path: Path) -> None:
    now = [1000.0]
    assert Rulebook(path, ON, clock=lambda: now[0]).rules()[0].expires == 1600.0
    now[0] = 1300.0
    assert Rulebook(path, ON, clock=lambda: now[0]).rules()[0].expires == 1600.0


def test_switching_it_off_and_on_again_begins_anew(path: Path) -> None:
    now = [1000.0]
    book = Rulebook(path, ON, clock=lambda: now[0])
    now[0] = 5000.0
    book.configure(OFF)
    assert book.rules() == ()
    book.configure(ON)
    assert book.rules()[0].expires == 5600.0


def test_a_moment_to_come_was_noted_by_another_clock_and_grants_nothing_more(path: Path) -> None:
    Rulebook(path, ON, clock=lambda: 9000.0)
    assert Rulebook(path, ON, clock=lambda: 1000.0).rules()[0].expires == 1600.0


def test_it_ends_by_itself_even_where_the_moment_cannot_be_written(path: Path) -> None:
    path.write_text("nonsense", encoding="utf-8")
    now = [1000.0]
    book = Rulebook(path, ON, clock=lambda: now[0])
    now[0] = 1300.0
    book.configure(ON)
    assert book.rules()[0].expires == 1600.0
    assert book.faults()


def test_a_configured_rule_must_be_removed_in_its_file(path: Path) -> None:
    book = Rulebook(path, [configured()])
    with pytest.raises(UserFault, match="part of the configuration file"):
        book.remove(book.rules()[0].id)


@pytest.mark.parametrize("scope", ["session", "always"])
def test_uses_count_down_to_nothing(path: Path, scope) -> None:
    book = Rulebook(path)
    rule = book.add(Rule("allow", "a", uses=2), scope)
    left = []
    for _ in range(3):
        book.use(rule.id)
        left.append(book.rules()[0].uses)
    assert left == [1, 0, 0]
    assert Policy(book.rules()).judge(Call("a", "", ""), 0).kind == "ask"


def test_uses_are_remembered_after_a_restart_for_saved_and_configured_rules(path: Path) -> None:
    config = [configured(uses=2), configured(uses=2), configured(uses=2, tool="other")]
    book = Rulebook(path, config)
    book.add(Rule("allow", "a", uses=5), "always")
    for rule in book.rules()[1:]:
        book.use(rule.id)
    assert [rule.uses for rule in Rulebook(path, config).rules()] == [2, 1, 1, 4]


def test_using_a_rule_without_limit_writes_nothing(path: Path) -> None:
    book = Rulebook(path, [configured()])
    book.use(book.rules()[0].id)
    book.use("unknown")
    assert not path.exists()


def test_reset_takes_away_the_scopes_asked_for_and_nothing_else(path: Path, workspace: Path, tmp_path: Path) -> None:
    Rulebook(path, (), tmp_path).add(Rule("allow", "elsewhere"), "workspace")
    book = Rulebook(path, [configured()], workspace)
    for scope in ("always", "workspace", "session"):
        book.add(ALLOW, scope)
    book.reset(["workspace"])
    assert [rule.origin for rule in book.rules()] == ["config", "always", "session"]
    assert Rulebook(path, (), tmp_path).rules()[-1].origin == "always"
    book.reset()
    assert [rule.origin for rule in book.rules()] == ["config"]
    assert Rulebook(path, (), workspace).rules() == ()


def test_every_change_is_told_to_the_listeners(path: Path) -> None:
    book = Rulebook(path)
    told: list[int] = []
    book.on_change(lambda: told.append(len(book.rules())))
    rule = book.add(Rule("allow", "a", uses=3), "always")
    book.use(rule.id)
    book.configure([configured()])
    book.remove(rule.id)
    book.reset()
    book.reload()
    assert told == [1, 1, 2, 1, 1, 1]


def test_an_unreadable_file_is_kept_and_grants_go_to_memory_aloud(path: Path) -> None:
    path.write_text("[[rules]\nverdict = 'deny'\n", encoding="utf-8")
    book = Rulebook(path)
    (fault,) = book.faults()
    assert "cannot be read" in fault
    assert "only until Callgate ends" in fault
    rule = book.add(ALLOW, "always")
    assert rule.origin == "session"
    assert book.rules() == (rule,)
    assert book.faults() == (fault,)
    assert path.read_text(encoding="utf-8") == "[[rules]\nverdict = 'deny'\n"


def test_a_mended_file_is_taken_up_again(path: Path) -> None:
    path.write_text("[[rules]\n", encoding="utf-8")
    book = Rulebook(path)
    book.add(ALLOW, "always")
    path.write_text("[[rules]]\nverdict = 'deny'\ntool = 'rm'\n", encoding="utf-8")
    book.reload()
    assert book.faults() == ()
    assert [(rule.verdict, rule.origin) for rule in book.rules()] == [("deny", "always"), ("allow", "session")]
    assert book.add(ALLOW, "always").origin == "always"


def test_a_file_that_turns_bad_leaves_the_rules_read_before_in_force(path: Path) -> None:
    book = Rulebook(path)
    book.add(Rule("deny", "rm"), "always")
    path.write_text("nonsense", encoding="utf-8")
    book.reload()
    assert [rule.verdict for rule in book.rules()] == ["deny"]
    assert book.faults()


def test_removing_what_cannot_be_written_is_refused_and_the_rule_stays(path: Path) -> None:
    book = Rulebook(path)
    rule = book.add(ALLOW, "always")
    path.write_text("nonsense", encoding="utf-8")
    with pytest.raises(UserFault, match="cannot be read"):
        book.remove(rule.id)
    assert book.rules() == (rule,)


def test_a_use_that_cannot_be_written_counts_all_the_same(path: Path) -> None:
    book = Rulebook(path, [configured(uses=1)])
    saved = book.add(Rule("allow", "a", uses=1), "always")
    path.write_text("nonsense", encoding="utf-8")
    book.use(saved.id)
    book.use(book.rules()[0].id)
    assert [rule.uses for rule in book.rules()] == [0, 0]
    assert book.faults()


def test_a_use_that_could_not_be_written_is_not_given_back_when_the_file_is_mended(path: Path) -> None:
    book = Rulebook(path)
    rule = book.add(Rule("allow", "a", uses=3), "always")
    good = path.read_text(encoding="utf-8")
    path.write_text("nonsense", encoding="utf-8")
    book.use(rule.id)
    path.write_text(good, encoding="utf-8")
    book.reload()
    assert book.rules()[0].uses == 2
    book.use(rule.id)
    assert Rulebook(path).rules()[0].uses == 1


def test_an_entry_that_cannot_be_read_asks_is_reported_and_stays_in_the_file(path: Path) -> None:
    entry = "[[rules]]\nverdict = 'alow'   # oops\ntool = 'rm'\n"
    path.write_text(entry, encoding="utf-8")
    book = Rulebook(path, [configured(tool="*")])
    assert Policy(book.rules()).judge(Call("rm", "", ""), 0).kind == "ask"
    assert Policy(book.rules()).judge(Call("ls", "", ""), 0).kind == "allow"
    (fault,) = book.faults()
    assert fault.startswith(f"{path}, line 2: verdict: expected one of 'allow', 'ask' or 'deny'")
    book.add(ALLOW, "always")
    assert path.read_text(encoding="utf-8").startswith(entry)
    assert len(book.faults()) == 1


def test_an_entry_of_another_workspace_that_cannot_be_read_does_not_ask_here(path: Path, workspace: Path) -> None:
    path.write_text("[[rules]]\nverdict = 'alow'\nworkspace = '/elsewhere'\n", encoding="utf-8")
    book = Rulebook(path, (), workspace)
    assert book.rules() == ()
    assert len(book.faults()) == 1


BOUND = Rule("allow", "read_file", "files", fingerprint="old")
NOW = {("read_file", "files"): "new", ("other", "files"): "x"}


def test_a_rule_for_a_definition_that_has_changed_is_suspended(path: Path, workspace: Path) -> None:
    book = Rulebook(path, [configured(tool="read_file")], workspace)
    bound = [book.add(BOUND, scope) for scope in ("always", "workspace", "session")]
    book.add(ALLOW, "always")
    assert book.suspended(NOW) == tuple(bound)
    assert book.suspended({("read_file", "files"): "old"}) == ()


def test_a_tool_that_is_away_suspends_nothing(path: Path) -> None:
    book = Rulebook(path)
    book.add(BOUND, "always")
    assert book.suspended({}) == ()
    assert book.suspended({("read_file", "elsewhere"): "new"}) == ()


def test_a_rule_for_several_tools_holds_while_one_of_them_is_as_it_was(path: Path) -> None:
    book = Rulebook(path)
    rule = book.add(Rule("allow", "read_*", fingerprint="old"), "always")
    assert book.suspended({**NOW, ("read_all", "files"): "old"}) == ()
    assert book.suspended(NOW) == (rule,)


@pytest.mark.parametrize("scope", ["session", "workspace", "always"])
def test_a_suspended_rule_that_is_accepted_again_holds_again(path: Path, workspace: Path, scope: GrantScope) -> None:
    book = Rulebook(path, (), workspace)
    heard: list[int] = []
    rule = book.add(BOUND, scope)
    book.on_change(lambda: heard.append(len(book.suspended(NOW))))
    accepted = book.reaccept(rule.id, "new")
    assert accepted is not None
    assert (accepted.id, accepted.origin, accepted.fingerprint) == (rule.id, scope, "new")
    assert heard == [0]
    assert Policy(book.rules()).judge(Call("read_file", "files", "a", fingerprint="new"), 0).kind == "allow"
    assert Policy(book.rules()).judge(Call("read_file", "files", "a", fingerprint="old"), 0).kind == "ask"
    if scope != "session":
        assert Rulebook(path, (), workspace).rules() == (accepted,)


def test_a_rule_written_by_hand_keeps_its_id_when_it_is_accepted_again(path: Path) -> None:
    path.write_text('# mine\n[[rules]]\nverdict = "allow"\ntool = "read_file"\nfingerprint = "old" # then\n', "utf-8")
    book = Rulebook(path)
    (rule,) = book.rules()
    accepted = book.reaccept(rule.id, "new")
    assert accepted is not None
    assert accepted.id == rule.id
    assert Rulebook(path).rules() == (accepted,)
    assert path.read_text("utf-8").startswith("# mine\n")


def test_accepting_again_what_is_gone_or_configured_or_for_any_definition_is_refused(path: Path) -> None:
    book = Rulebook(path, [configured()])
    assert book.reaccept("rule_gone", "new") is None
    with pytest.raises(UserFault, match="bound to no definition"):
        book.reaccept(book.rules()[0].id, "new")
    with pytest.raises(ValueError, match="never for any"):
        book.reaccept(book.add(BOUND, "session").id, "")


def test_a_rule_that_cannot_be_saved_stays_suspended(path: Path) -> None:
    book = Rulebook(path)
    rule = book.add(BOUND, "always")
    path.write_text("[[rules", "utf-8")
    with pytest.raises(UserFault, match="cannot be read"):
        book.reaccept(rule.id, "new")
    assert book.suspended(NOW) == (rule,)
