"""Differences between two forms of a request are told in words where they are recognised."""

import pytest

from callgate.core.json.diff import diff
from callgate.core.messages import Json
from callgate.ui.traffic.inspector.translation_words import meanings, summary


def said(before: Json, after: Json) -> list[str]:
    return [str(meaning) for meaning in meanings(diff(before, after))]


def tool(name: str, schema: Json) -> Json:
    return {"name": name, "schema": schema}


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"tools": [tool("a.b", {})]}, {"tools": [tool("a_b", {})]}, "tool renamed: a.b → a_b"),
        (
            {
                "tools": [
                    {"type": "function", "function": {"name": "t", "parameters": {"title": "T", "type": "object"}}}
                ]
            },
            {"tools": [{"type": "function", "function": {"name": "t", "parameters": {"type": "object"}}}]},
            "keyword dropped: title",
        ),
        ({"tools": [tool("a", {})]}, {"tools": [tool("a", {}), tool("b", {})]}, "tool added: b"),
        ({"tools": [tool("a", {}), tool("b", {})]}, {"tools": [tool("a", {})]}, "tool left out: b"),
        ({"logprobs": True}, {}, "setting dropped: logprobs"),
        ({}, {"sampling": {"max_tokens": 9}}, "setting added: sampling"),
        ({"sampling": {}}, {"sampling": {"max_tokens": 9}}, "setting added: max_tokens"),
        ({"model": "a"}, {"model": "b"}, "model renamed: a → b"),
        (
            {"messages": [{"role": "tool", "tool_call_id": "call_1", "content": "x"}]},
            {"messages": [{"role": "tool", "tool_call_id": "toolu_1", "content": "x"}]},
            "id rewritten: call_1 → toolu_1",
        ),
    ],
)
def test_a_change_is_recognised(before: Json, after: Json, words: str) -> None:
    assert words in said(before, after)


def test_messages_whose_parts_went_elsewhere_were_merged() -> None:
    one, two = {"text": "Hello", "kind": "text"}, {"text": "there", "kind": "text"}
    before = {"messages": [{"role": "user", "parts": [one]}, {"role": "user", "parts": [two]}]}
    after = {"messages": [{"role": "user", "parts": [one, two]}]}
    assert "message merged: user" in said(before, after)
    assert "message left out: user" in said(before, {"messages": before["messages"][:1]})


def test_what_is_not_recognised_has_no_words_and_is_not_counted() -> None:
    changes = diff({"metadata": {"deep": {"a": 1}}, "logprobs": 1, "n": 1}, {"metadata": {"deep": {"a": 2}}})
    found = meanings(changes)
    assert None in found
    assert summary(found) == "2 settings dropped"


def test_what_a_wire_says_beyond_the_neutral_form_goes_by_its_own_names() -> None:
    found = meanings(diff({"extras": {"logprobs": True, "user": "me"}}, {"extras": {"user": "me"}}))
    assert [str(one) for one in found] == ["setting dropped: logprobs"]
    found = meanings(diff({"extras": {"logprobs": True, "user": "me"}}, {}))
    assert [str(one) for one in found] == ["setting dropped: logprobs, user"]
