"""Who may import whom: the contracts hold, and they would notice a breach."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = ROOT / "tests" / "architecture" / "contracts.ini"
LINT = Path(sys.executable).with_name("lint-imports")


def lint(app: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINT, "--config", CONTRACTS, "--no-cache"],
        env={"PYTHONPATH": str(app), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def copied_app(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "app"


def test_the_contracts_hold() -> None:
    report = lint(ROOT / "app")
    assert report.returncode == 0, report.stdout + report.stderr


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("engine/gate/gate.py", "from PySide6.QtCore import QObject"),
        ("core/tool.py", "import asyncio"),
        ("store/journal.py", "from callgate.tools.catalog import Catalog"),
        ("ui/theme/theme.py", "from callgate.store.journal import Journal"),
        ("wire/openai_chat/__init__.py", "from callgate.wire import openai_responses"),
    ],
)
def test_a_planted_breach_is_noticed(copied_app: Path, file: str, line: str) -> None:
    target = copied_app / "callgate" / file
    target.write_text(f"{line}\n{target.read_text('utf-8')}", "utf-8")
    report = lint(copied_app)
    assert report.returncode != 0
    assert "BROKEN" in report.stdout
