"""The gate asks about built-in calls without knowing whose wire they are of."""

from callgate.wire.built_in_calls import edit_problem, takes_words


def test_a_call_that_can_be_answered_in_words_is_told_from_one_that_cannot() -> None:
    assert takes_words("shell") and takes_words("apply_patch")
    assert not takes_words("computer") and not takes_words("nothing_of_the_kind")


def test_an_edit_that_no_wire_can_encode_says_why() -> None:
    assert edit_problem("shell", '{"commands": ["ls"]}') == ""
    assert "JSON object" in edit_problem("shell", "ls")
    assert "only be allowed" in edit_problem("mcp_approval_request", "{}")
