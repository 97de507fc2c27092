"""What a person cannot tell apart has one skeleton; what a person can has two."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from callgate.core.rules.lookalike import Resemblances, resembles, skeleton


@pytest.mark.parametrize(
    "twin",
    [
        "rеad_file",  # Cyrillic е
        "reаd_filе",
        "rеаԁ_fіӏе",
        "reαd_file",  # Greek
        "ｒｅａｄ＿ｆｉｌｅ",  # full width
        "𝐫𝐞𝐚𝐝_𝐟𝐢𝐥𝐞",  # mathematical
        "read_ﬁle",  # ligature
        "read_fi1e",
        "read_fiIe",
        "read_fıle",
        "read\u200b_file",
        "read_file\u00a0",
        " read_file",
        "read_file\ufe0f",
        "read_\u202efile",
        "ṛeạd_file",  # dots below
        "reád_file",
        "readˍfile",
        "read_file\x00",
    ],
)
def test_a_name_that_looks_like_another_resembles_it(twin: str) -> None:
    assert resembles(twin, ["write_file", "read_file"]) == "read_file"
    assert resembles("read_file", ["write_file", twin]) == twin


@pytest.mark.parametrize(
    ("twin", "plain"),
    [
        ("get_user０", "get_userO"),
        ("tool2０", "tool20"),
        ("forrn", "form"),
        ("vvrite", "write"),
        ("ВАЅН", "BASH"),
        ("ΒΑSΗ", "BASH"),
        ("Ϲall", "Call"),
        ("git–log", "git-log"),
        ("ѕһеӏӏ", "shell"),
        ("ꓐꓮꓢꓧ", "BASH"),  # Lisu
        ("ᑌser", "User"),  # Canadian syllabics
        ("𐐠hell", "Shell"),  # Deseret
        ("r𝈖un", "rRun"),  # a sign of old musical notation
    ],
)
def test_letters_digits_and_dashes_of_other_alphabets_are_folded(twin: str, plain: str) -> None:
    assert resembles(twin, [plain]) == plain


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("read_file", "read_files"),
        ("ReadFile", "readfile"),
        ("read-file", "read_file"),
        ("read_file", "write_file"),
        ("step1", "step2"),
        ("читать", "писать"),
        ("がく", "かく"),
    ],
)
def test_names_that_a_person_tells_apart_do_not_resemble_each_other(one: str, other: str) -> None:
    assert resembles(one, [other]) is None


def test_a_name_does_not_resemble_itself() -> None:
    assert resembles("read_file", ["read_file"]) is None
    assert resembles("read_file", []) is None


@given(some.text())
def test_a_skeleton_is_its_own_skeleton_and_any_text_has_one(name: str) -> None:
    assert skeleton(skeleton(name)) == skeleton(name)


@given(some.lists(some.text("aаeе1lI_rnm", max_size=4), max_size=6), some.text("aаeе1lI_rnm", max_size=4))
def test_looking_many_up_at_once_finds_the_same(names: list[str], name: str) -> None:
    assert Resemblances(names).of(name) == resembles(name, names)
