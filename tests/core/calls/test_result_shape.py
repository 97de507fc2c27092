"""What a result is, is told from its looks; nothing is lost by a wrong guess."""

import pytest

from callgate.core.calls.result_shape import (
    DiffShape,
    FileShape,
    ImageShape,
    JsonShape,
    MarkdownShape,
    Shape,
    TableShape,
    TerminalShape,
    TextShape,
    shape_of_text,
    shapes_of,
)
from callgate.core.messages import File, Image, Part, Text

DIFF = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"a": [1, {"b": 2}]}', JsonShape),
        ("[1, 2, 3]", JsonShape),
        ('[{"a": 1, "b": "x"}, {"a": 2}]', TableShape),
        ('[{"a": {"deep": 1}}, {"a": 2}]', JsonShape),
        ('[{"a": 1}]', JsonShape),
        ("[]", JsonShape),
        ("{not json}", TextShape),
        (DIFF, DiffShape),
        ("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y", DiffShape),
        ("text\n--- a rule\n+++ plus", TextShape),
        ("total 4\n[exit code 1]", TerminalShape),
        ("\x1b[31mred\x1b[0m", TerminalShape),
        ("# Title\n\nSome **bold** words.\n", MarkdownShape),
        ("Look:\n```py\nx\n```\n", MarkdownShape),
        ("#!/bin/sh\n# A comment\n\necho hi\n", TextShape),
        ("buy milk", TextShape),
    ],
)
def test_a_text_is_what_it_looks_like(text: str, kind: type[Shape]) -> None:
    assert type(shape_of_text(text)) is kind


def test_a_table_has_the_columns_of_all_rows() -> None:
    shape = shape_of_text('[{"a": 1}, {"b": null, "a": 2}]')
    assert isinstance(shape, TableShape)
    assert shape.columns == ("a", "b") and len(shape.rows) == 2


def test_the_exit_code_is_taken_out_of_the_text() -> None:
    assert shape_of_text("one\ntwo\n[exit code 127]") == TerminalShape("one\ntwo", 127)
    assert shape_of_text("[exit code 0]") == TerminalShape("", 0)
    assert shape_of_text("x\n[stopped after 5 seconds]") == TerminalShape("x", ending="stopped after 5 seconds")


def test_an_error_is_not_dressed_up() -> None:
    assert isinstance(shape_of_text(DIFF, is_error=True), TextShape)
    assert isinstance(shape_of_text("# Title\n\n**b**", is_error=True), TextShape)


def test_parts_keep_their_order_and_texts_are_joined() -> None:
    parts: tuple[Part, ...] = (
        Text("one"),
        Text("two"),
        Image("image/png", data="AAAA"),
        File("application/pdf", url="https://example.org/x.pdf", name="x.pdf"),
        Text("three"),
    )
    assert shapes_of(parts) == (
        TextShape("one\ntwo"),
        ImageShape("image/png", "AAAA"),
        FileShape("application/pdf", "x.pdf", 0, "https://example.org/x.pdf"),
        TextShape("three"),
    )


def test_an_image_may_come_as_an_address_that_is_the_data() -> None:
    assert shapes_of((Image(url="data:image/gif;base64,R0lG"),)) == (ImageShape("image/gif", "R0lG"),)


def test_nothing_is_nothing() -> None:
    assert shapes_of(()) == () and shapes_of((Text(""),)) == ()
