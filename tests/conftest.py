"""Every test starts from the same place: no keys, no configuration, no home of the person's own."""

import functools
import gc
import itertools
import logging
import os
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import certifi
import pytest
from hypothesis import HealthCheck, settings
from tests.depth import FULL
from tests.fakes.pair_table import rows

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

MOST_GARBAGE = 20_000
APART = ("agents", "bench")
"""Folders that run only when they are named, as `make agents` and `make bench` do."""
MOST_WORKERS = 12
"""Each takes up to a gigabyte."""


def pytest_configure() -> None:
    # collecting is done between tests only: on a worker's thread it would destroy Qt objects there
    gc.disable()
    gc.set_threshold(0)  # parso, behind the tools that read code, enables collecting after each file of its cache
    # how fast a busy machine draws examples says nothing of what they prove
    usual: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
    settings.register_profile("short", max_examples=25, **usual)
    settings.register_profile("full", max_examples=200, **usual)
    settings.load_profile("full" if FULL else "short")


def pytest_xdist_auto_num_workers() -> int:
    """Half of the time a test waits for a socket, a process or a timer: another one runs meanwhile."""
    return min(2 * (os.cpu_count() or 1), MOST_WORKERS)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if collection_path.name not in APART or collection_path.parent != Path(__file__).parent:
        return None
    named = [(config.invocation_params.dir / argument.split("::")[0]).resolve() for argument in config.args]
    return None if any(collection_path in (path, *path.parents) for path in named) else True


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
    guard = sys.modules.get("callgate.ui.decision.click_guard")
    known = app.findChild(guard.Foreground) if guard is not None else None
    if known is not None:
        known.trust()  # one for all tests of a worker: stray keys of one would absorb those of the next
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


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of folders for one test each. Apart from `tmp_path`, which looks through all its neighbours for a name."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """Each HTTP client reads the same file of certificates, 15 ms of every test that has one."""
    make = ssl.create_default_context
    usual = functools.cache(lambda: make(cafile=certifi.where()))

    def made(*args: Any, **options: Any) -> ssl.SSLContext:
        return usual() if not args and options == {"cafile": certifi.where()} else make(*args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", made)
        yield


@pytest.fixture(autouse=True)
def fresh_environment(monkeypatch: pytest.MonkeyPatch, homes: Iterator[Path]) -> Path:
    """Settings, data and keys of the machine must not leak into a test."""
    home = next(homes)
    home.mkdir()
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
