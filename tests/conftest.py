"""Every test starts from the same place: no keys, no configuration, no home of the person's own."""

import gc
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.fakes.pair_table import rows

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

MOST_GARBAGE = 20_000


def pytest_configure() -> None:
    # collecting is done between tests only: on a worker's thread it would destroy Qt objects there
    gc.disable()
    gc.set_threshold(0)  # parso, behind the tools that read code, enables collecting after each file of its cache
    # how fast a busy machine draws examples says nothing of what they prove
    settings.register_profile("callgate", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("callgate")


def pytest_collection_finish() -> None:
    """Modules and collected tests stay for good: looking through them after each test took most of its time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    _tidy_windows()
    if gc.get_count()[0] > MOST_GARBAGE:
        gc.collect()


def _tidy_windows() -> None:
    """A window that a test left open would take the mouse of later ones, and a font or style change their sizes."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    app = widgets.QApplication.instance() if widgets is not None else None
    if widgets is None or app is None:
        return
    for window in widgets.QApplication.topLevelWidgets():
        if window.isVisible():
            window.hide()
    if app.styleSheet():
        app.setStyleSheet("")
    fonts = sys.modules["PySide6.QtGui"].QFontDatabase
    usual = fonts.systemFont(fonts.SystemFont.GeneralFont)
    if app.font() != usual:
        app.setFont(usual)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    played = [
        report
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        if report.when == "call"
    ]
    for line in rows(played):
        terminalreporter.write_line(line)


KEYS = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "CALLGATE_ENABLE_TOOLS",
    "OPENAI_BASE_URL",
    "ANTHROPIC_BASE_URL",
)


@pytest.fixture(autouse=True)
def fresh_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Settings, data and keys of the machine must not leak into a test."""
    home = tmp_path_factory.mktemp("home")
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(home / "tiktoken"))
    # else the best one there is: the person's own, or a test's, which other processes of the test do not have
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    return home


@pytest.fixture(autouse=True)
def no_unexpected_warning(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A warning or error in our own log fails the test, unless the test takes it out of `caplog`."""
    caplog.set_level(logging.WARNING)
    yield
    loud = [
        record
        for when in ("setup", "call")
        for record in caplog.get_records(when)
        if record.levelno >= logging.WARNING and record.name.startswith("callgate")
    ]
    assert not loud, "unexpected log: " + "; ".join(f"{r.name}: {r.getMessage()}" for r in loud)
