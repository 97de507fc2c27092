from callgate.core.invocation import Invocation
from callgate.core.preview import CommandPreview, DiffPreview, Preview, UrlPreview
from callgate.core.wording import Wording
from callgate.terminal_preview import MOST_LINES, preview_lines


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
