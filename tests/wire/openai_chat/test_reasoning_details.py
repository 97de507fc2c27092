"""Lists of thoughts that stream in pieces."""

from callgate.wire.openai_chat.reasoning_details import Details, merge, missing, proven_details, read_details

WHOLE: Details = [
    {"type": "reasoning.text", "text": "ab", "index": 0, "signature": "s"},
    {"type": "reasoning.encrypted", "data": "x", "index": 1},
]


def test_pieces_of_one_entry_grow_together() -> None:
    details: Details = []
    for piece in (
        {"type": "reasoning.text", "text": "a", "index": 0},
        {"type": "reasoning.text", "text": "b", "index": 0, "format": None},
        {"type": "reasoning.text", "signature": "s", "index": 0},
        {"type": "reasoning.encrypted", "data": "x", "index": 1},
    ):
        merge(details, {**piece})
    assert details == WHOLE


def test_only_what_a_client_lacks_is_missing() -> None:
    assert missing(WHOLE, WHOLE) == []
    assert missing(WHOLE, []) == WHOLE
    assert missing(WHOLE, [{"type": "reasoning.text", "text": "a", "index": 0}]) == [
        {"type": "reasoning.text", "text": "b", "signature": "s", "index": 0},
        {"type": "reasoning.encrypted", "data": "x", "index": 1},
    ]


def test_entries_without_an_index_get_one() -> None:
    assert missing([{"type": "reasoning.summary", "summary": "s"}], []) == [
        {"type": "reasoning.summary", "summary": "s", "index": 0}
    ]


def test_what_is_no_list_of_objects_is_nothing() -> None:
    assert read_details("x") == []
    assert read_details([1, {"type": "t"}]) == [{"type": "t"}]


def test_a_signature_that_is_not_ours_carries_nothing() -> None:
    assert proven_details('[{"type":"t"}]') == [{"type": "t"}]
    assert proven_details("EqQBCgIYAh==") == []
    assert proven_details("") == []
