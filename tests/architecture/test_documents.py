"""What the documents say can be followed: links lead somewhere, configuration is accepted, commands exist."""

import re
from pathlib import Path

import pytest

from callgate.cli.main import main
from callgate.store.files.config_file import read_config

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    + [*(ROOT / "resources/docs").rglob("*.md")]
)
NAMES = [path.relative_to(ROOT).as_posix() for path in DOCUMENTS]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")
TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LISTED = re.compile(r"^    ([a-z]+) ", re.MULTILINE)
COMMAND = re.compile(r"^callgate ([a-z]+)", re.MULTILINE)
PATH = re.compile(r"`([\w./-]+/[\w.-]*)`")
"""A file or folder of the repository, or of the package."""
LONGEST_README = 200


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_every_link_to_a_file_leads_there(path: Path) -> None:
    broken = [link for link in LINK.findall(path.read_text("utf-8")) if not (path.parent / link).exists()]
    assert broken == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_every_piece_of_configuration_is_accepted(path: Path, tmp_path: Path) -> None:
    for number, text in enumerate(TOML.findall(path.read_text("utf-8"))):
        file = tmp_path / f"{number}.toml"
        file.write_text(text, "utf-8")
        read_config(file)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= LONGEST_README


def test_every_command_is_documented_and_every_documented_command_exists(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = set(LISTED.findall(capsys.readouterr().out))
    documented = set(COMMAND.findall((ROOT / "resources/docs/commands.md").read_text("utf-8")))
    assert listed, "the list of commands in the help looks different"
    assert documented == listed


@pytest.mark.parametrize("name", ["architecture.md", "extending.md"])
def test_every_file_that_is_named_exists(name: str) -> None:
    named = PATH.findall((ROOT / "resources/docs" / name).read_text("utf-8"))
    assert named
    assert [path for path in named if not (ROOT / "app/callgate" / path).exists() and not (ROOT / path).exists()] == []
