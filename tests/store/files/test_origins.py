import stat
from pathlib import Path

from callgate.store.files.json_file import JsonFile
from callgate.store.files.origins import Origins, OriginsFile

PAGE = "http://localhost:3000"


def test_answers_are_kept_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "origins.json"
    answers = Origins().with_answer(PAGE, allowed=True).with_answer("http://localhost:4000", allowed=False)
    OriginsFile(JsonFile(path)).write(answers)
    assert OriginsFile(JsonFile(path)).read() == answers
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_later_answer_replaces_an_earlier_one() -> None:
    denied = Origins().with_answer(PAGE, allowed=True).with_answer(PAGE, allowed=False)
    assert denied == Origins(frozenset(), frozenset({PAGE}))
    assert denied.with_answer(PAGE, allowed=True) == Origins(frozenset({PAGE}))


def test_no_file_and_no_lists_allow_nothing(tmp_path: Path) -> None:
    path = tmp_path / "origins.json"
    assert OriginsFile(JsonFile(path)).read() == Origins()
    for content in ("[]", '{"allowed": "*"}', '{"allowed": ["*", "null", 7, "localhost"]}'):
        path.write_text(content, "utf-8")
        assert OriginsFile(JsonFile(path)).read() == Origins()


def test_what_is_both_allowed_and_denied_is_denied(tmp_path: Path) -> None:
    path = tmp_path / "origins.json"
    path.write_text(f'{{"allowed": ["{PAGE}"], "denied": ["{PAGE.upper()}"]}}', "utf-8")
    assert OriginsFile(JsonFile(path)).read() == Origins(frozenset(), frozenset({PAGE}))


def test_a_broken_file_allows_nothing_and_is_kept_aside(tmp_path: Path) -> None:
    path = tmp_path / "origins.json"
    path.write_text('{"allowed": [', "utf-8")
    file = OriginsFile(JsonFile(path))
    assert file.read() == Origins()
    assert "was moved to" in file.problem and (tmp_path / "origins.json.broken-1").exists()
