"""What goes along with a message is what fits, as what it is; what does not fit is said in words."""

import base64
from pathlib import Path

from callgate.core.messages import File, Image, Message, Text
from callgate.ui.conversation.composer.enclosures import (
    MOST_COUNT,
    MOST_IMAGE,
    MOST_TEXT,
    Enclosure,
    enclose,
    obstacle,
    read_file,
    taken_up,
)


def test_pictures_texts_and_files_become_parts() -> None:
    picture = enclose("a.png", b"\x89PNG1234")
    assert picture.part == Image("image/png", base64.b64encode(b"\x89PNG1234").decode())
    text = enclose("a.py", b"print(1)\n")
    assert text.part == Text("File a.py:\n```\nprint(1)\n```")
    other = enclose("a.pdf", b"%PDF\0")
    assert isinstance(other.part, File) and (other.part.media_type, other.part.name) == ("application/pdf", "a.pdf")
    assert [one.what for one in (picture, text, other)] == ["image", "text", "file"]


def test_a_text_cannot_break_out_of_its_fence() -> None:
    part = enclose("a.md", b"```\nx\n```").part
    assert isinstance(part, Text) and part.text.splitlines()[1] == "````" == part.text.splitlines()[-1]


def test_what_is_too_large_or_empty_says_so() -> None:
    assert "5.0 MB" in enclose("a.png", b"x" * (MOST_IMAGE + 1)).problem
    assert "goes into the message as text" in enclose("a.txt", b"x" * (MOST_TEXT + 1)).problem
    assert enclose("a.txt", b"").problem == "a.txt is empty."


def test_files_are_read_and_missing_ones_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hi", "utf-8")
    assert read_file(tmp_path / "a.txt").part == Text("File a.txt:\n```\nhi\n```")
    assert read_file(tmp_path).problem.endswith("is not a file.")
    assert read_file(tmp_path / "none").problem


def test_all_together_may_be_too_much() -> None:
    one = Enclosure("a", Text("x"), 1)
    assert obstacle((one,)) == ""
    assert "At most" in obstacle((one,) * (MOST_COUNT + 1))
    assert "Together" in obstacle((Enclosure("a", Text("x"), 30_000_000),))


def test_a_sent_message_is_taken_up_as_it_was_written() -> None:
    file = enclose("a.py", b"print(1)")
    assert file.part is not None
    words, enclosures = taken_up(Message("user", (Image("image/png", "AAAA"), file.part, Text("Look"))))
    assert words == "Look"
    assert [(one.name, one.what) for one in enclosures] == [("picture", "image"), ("a.py", "text")]
    assert taken_up(Message("user", (Image("image/png", "AAAA"),)))[0] == ""
