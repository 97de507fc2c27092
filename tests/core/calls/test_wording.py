from callgate.core.calls.wording import LONGEST_VALUE, Wording, unknown_places


def test_arguments_stand_in_their_places() -> None:
    words = Wording("Move {path}?", "From {path} to {to.name}.", "Moving {path}", "Moved {path}")
    filled = words.filled({"path": "a.txt", "to": {"name": "b"}})
    assert filled == Wording("Move a.txt?", "From `a.txt` to `b`.", "Moving a.txt", "Moved a.txt")


def test_a_missing_argument_leaves_nothing_and_other_values_are_spelled_as_json() -> None:
    assert Wording("Show {n} of {path}").filled({"n": 3}).title == "Show 3 of"
    assert Wording("Show {all}").filled({"all": True}).title == "Show true"
    assert Wording("Read {files.path}").filled({"files": [{"path": "a"}, {"path": "b"}]}).title == "Read a, b"


def test_what_a_model_wrote_cannot_become_markup() -> None:
    hostile = "`x` ![i](http://h/p) ``y"
    message = Wording(message="Runs {command}.").filled({"command": hostile}).message
    assert message == f"Runs ``` {hostile} ```."
    assert Wording(message="{a}").filled({"a": "`"}).message == "`` ` ``"


def test_a_long_or_broken_value_stays_one_short_line() -> None:
    title = Wording("Write {text}").filled({"text": "a\n" * 500}).title
    assert "\n" not in title and len(title) == len("Write ") + LONGEST_VALUE and title.endswith("…")


def test_words_about_unknown_arguments_are_found() -> None:
    words = Wording("{a} {b.c}", past_tense_message="{d}")
    assert unknown_places(words, {"properties": {"a": {}}}) == ["b", "d"]
    assert unknown_places(words, {}) == ["a", "b", "d"]
