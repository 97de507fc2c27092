from callgate.cli.terminal_preview import MOST_LINES, change_lines, preview_lines
from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import CommandPreview, DiffPreview, Preview, UrlPreview
from callgate.core.calls.wording import Wording
from callgate.core.catalog.definition_diff import diff
from callgate.engine.console.rule_service import DefinitionChange


def lines(preview: Preview, **more: Wording) -> list[str]:
    call = Invocation("i", "e", "c", 1, 0, "x", "t", "gate", "s", "a", "m", preview=preview, **more)  # type: ignore[arg-type]
    return list(preview_lines(call))


def test_a_change_of_a_file_is_a_difference() -> None:
    shown = lines(DiffPreview("a.txt", "one\ntwo\n", "one\n2\n"), wording=Wording("Edit a.txt?", disclaimer="Mind."))
    assert shown[0] == "Edit a.txt?" and shown[-1] == "Mind."
    assert "-two" in shown and "+2" in shown


def test_a_long_difference_says_how_much_is_left_out() -> None:
    shown = lines(DiffPreview("a.txt", "", "x\n" * 1000))
    assert len(shown) == MOST_LINES + 1 and shown[-1].endswith("lines more")


def test_a_line_is_taken_apart_and_risks_are_named() -> None:
    shown = lines(CommandPreview("ls && sudo rm -rf build"))
    assert shown[0] == "1. ls" and "administrator" in shown[1]


def test_a_request_names_its_host() -> None:
    assert lines(UrlPreview("GET", "http://h/x", "h")) == ["GET h: http://h/x"]


def test_a_changed_definition_is_told_in_words_and_line_by_line() -> None:
    before, after = {"name": "t", "description": "a"}, {"name": "t", "description": "b"}
    told = list(change_lines(DefinitionChange("t", "s", "new", after, before, diff(before, after))))
    assert told[0] == "The definition of t has changed since you last approved it."
    assert told[1].startswith("* ")
    assert '-  "description": "a",' in told and '+  "description": "b",' in told
    assert "no longer known" in list(change_lines(DefinitionChange("t", "s", "new", after)))[1]
