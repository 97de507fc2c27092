import pytest
from pydantic import ValidationError

from callgate.core.config.settings import Settings
from callgate.core.rules.chat_settings import ChatTools, spread_keys, spread_path


def tools(**data: object) -> ChatTools:
    return Settings.model_validate(data).chat.tools


NESTED = {"chat": {"tools": {"global": {"autoApprove": True, "acknowledged": True, "minutes": 5.0}}}}
QUOTED = {
    "chat.tools.global.autoApprove": True,
    "chat.tools.global.acknowledged": True,
    "chat.tools.global.minutes": 5.0,
}
MIXED = {
    "chat": {"tools.global.autoApprove": True},
    "chat.tools": {"global.acknowledged": True, "global": {"minutes": 5.0}},
}


@pytest.mark.parametrize("data", [NESTED, QUOTED, MIXED])
def test_both_spellings_mean_the_same(data: dict[str, object]) -> None:
    chosen = tools(**data).everything
    assert (chosen.auto_approve, chosen.acknowledged, chosen.minutes) == (True, True, 5.0)


def test_dots_in_patterns_and_tool_names_are_dots() -> None:
    found = tools(
        **{
            "chat.tools.edits.autoApprove": {"**/*.md": True},
            "chat": {"tools": {"eligibleForAutoApproval": {"a.b": False}, "urls": {"autoApprove": {"a.com": True}}}},
        }
    )
    assert found.edits.auto_approve == {"**/*.md": True}
    assert found.eligible == {"a.b": False}
    assert found.urls.auto_approve["a.com"].response is True


def test_short_forms_are_spelled_out() -> None:
    found = tools(
        **{
            "chat.tools.terminal.autoApprove": {
                "git": True,
                "rm": False,
                "x": None,
                "/^m/": {"matchCommandLine": True},
            },
            "chat.tools.urls.autoApprove": {"a.com": {"approveRequest": True}},
        }
    )
    assert [entry.approve for entry in found.terminal.auto_approve.values()] == [True, False, None, None]
    assert found.terminal.auto_approve["/^m/"].match_command_line
    assert (found.urls.auto_approve["a.com"].request, found.urls.auto_approve["a.com"].response) == (True, None)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"chat.tools.global.autoApprove": True}, "also needs acknowledged = true"),
        ({"chat.tools.global.minutes": 0.0}, "greater than 0"),
        ({"chat.tools.terminal.autoApprove": {"/(/": False}}, "not a regular expression"),
        ({"chat.tools.terminal.autoApprove": {"//": False}}, "is no regular expression"),
        ({"chat.tools.terminal.autoApprove": {"": False}}, "is empty"),
        ({"chat.tools.terminal.autoApprove": {"a": "yes"}}, "expected true, false, or"),
        ({"chat.tools.urls.autoApprove": {"a.com": 1}}, "expected true, false, or"),
        ({"chat.tools.urls.autoApprove": {"https://u@h": True}}, "no address"),
        ({"chat.tools.edits.autoApprove": {"{a": True}}, "never closed"),
        ({"chat.tools.edits.autoApprove": {"a": 1}}, "valid boolean"),
        ({"chat.tools.colour": True}, "Extra inputs"),
        (
            {"chat.tools.edits.autoApprove": {"a": True}, "chat": {"tools": {"edits": {"autoApprove": {"b": True}}}}},
            "twice",
        ),
        ({"chat.tools.global": 1, "chat.tools.global.minutes": 2.0}, "both as a value and as a table"),
    ],
)
def test_what_cannot_be_meant_is_refused(data: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Settings.model_validate(data)


def test_paths_of_quoted_keys_are_taken_apart_and_others_left_alone() -> None:
    assert spread_path(("chat.tools.edits.autoApprove", "a.b")) == ("chat", "tools", "edits", "autoApprove", "a.b")
    assert spread_path(("chat", "tools", "edits.autoApprove")) == ("chat", "tools", "edits", "autoApprove")
    assert spread_path(("rules", 0, "a.b")) == ("rules", 0, "a.b")
    assert spread_keys({"a.b": 1, "chat.tools": {}}) == {"a.b": 1, "chat": {"tools": {}}}
