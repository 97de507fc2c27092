import pytest

from callgate.ui.tools.completion import all_fields, complete

VALUES = {"tag": ("files", "find", "git"), "source": ("a person", "git"), "readonly": ("yes", "no", "unknown")}


def _offered(text: str) -> tuple[int, list[str]] | None:
    found = complete(text, len(text), lambda field: VALUES.get(field, ()))
    return None if found is None else (found.start, [choice.text for choice in found.choices])


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("ta", (0, ["tag:"])),
        ("read -so", (6, ["source:"])),
        ("tag:fi", (4, ["files", "find"])),
        ("tag:", (4, ["files", "find", "git"])),
        ("x source:", (9, ['"a person"', "git"])),
        ("-readonly:u", (10, ["unknown"])),
        ("tag:files", None),
        ("tag:zz", None),
        ("get_", None),
        ("", None),
        ("zz", None),
    ],
)
def test_fields_and_their_values_are_offered(text: str, offered: tuple[int, list[str]] | None) -> None:
    assert _offered(text) == offered


def test_only_what_stands_before_the_caret_counts() -> None:
    found = complete("tag:fi read", 6, lambda field: VALUES[field])
    assert found is not None and found.start == 4


def test_every_field_is_explained() -> None:
    assert all(choice.about for choice in all_fields())
