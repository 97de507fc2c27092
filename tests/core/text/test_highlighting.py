"""Code has colours where its language is known, and loses no letter by it."""

from callgate.core.text.highlighting import LIMIT, colored

CODE = 'def sync(self) -> float:\n    # why\n    return max(1, "x")\n'


def test_keywords_names_strings_numbers_and_comments_have_colours_of_their_own() -> None:
    pieces = list(colored(CODE, "Python") or ())
    assert "".join(text for _, text in pieces) == CODE
    said = {text.strip(): color for color, text in pieces if text.strip()}
    assert (said["def"], said["sync"], said["1"], said["# why"]) == ("executing", "accent", "released", "text3")
    assert any(color == "completed" and "x" in text for color, text in pieces)


def test_unknown_languages_and_endless_code_have_none() -> None:
    assert colored(CODE, "no such language") is None
    assert colored(CODE, "") is None
    assert colored("x" * (LIMIT + 1), "python") is None
