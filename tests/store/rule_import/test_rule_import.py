from pathlib import Path

import pytest

from callgate.core.errors import UserFault
from callgate.store.rule_import import import_file, import_rules


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ('{"permissions": {"allow": ["Bash"]}} // mine', "Claude Code"),
        ('{"chat.tools.terminal.autoApprove": {"ls": true,},}', "VS Code"),
        ('{"agent": {"tool_permissions": {"default": "allow"}}}', "Zed"),
    ],
)
def test_the_program_is_told_from_the_content(text: str, program: str) -> None:
    report = import_rules(text)
    assert report.program == program
    assert report.rules


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "not valid JSON: line 1, column 2"),
        (b"[]", "no permission rules were found"),
        (b'{"editor.x": 1}', "no permission rules were found"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_file_without_rules_says_so_with_its_name(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    with pytest.raises(UserFault, match=says) as caught:
        import_file(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(UserFault, match=r"none\.json cannot be read: No such file"):
        import_file(tmp_path / "none.json")


def test_settings_in_the_workspace_are_meant_from_there_and_the_persons_own_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '{"permissions": {"allow": ["Edit(/docs/**)"]}}'
    for folder in ("work", "home"):
        (tmp_path / folder / ".claude").mkdir(parents=True)
        (tmp_path / folder / ".claude" / "settings.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    work = str(tmp_path / "work")
    assert import_file(tmp_path / "work" / ".claude" / "settings.json", work).rules
    for other in (work, str(tmp_path / "home")):
        report = import_file(tmp_path / "home" / ".claude" / "settings.json", other)
        assert report.rules == ()
        assert "not known to be the workspace" in report.skipped[0][1]
