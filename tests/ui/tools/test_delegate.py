from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem
from tests.fakes.console import sample_tools

from callgate.core.catalog.lint import Finding
from callgate.engine.sources.source_service import SourceView
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.delegate import ROW_HEIGHT, ToolDelegate
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.grouping import Stock
from callgate.ui.tools.model import ToolModel
from callgate.ui.tools.panel import Arrangement
from callgate.ui.tools.query import Query, read_query


@pytest.fixture
def facts() -> Facts:
    return Facts(ask_enabled=lambda agent: frozenset(tool.name for tool in sample_tools() if tool.enabled))


@pytest.fixture
def model(theme: Theme, facts: Facts) -> ToolModel:
    model, arrangement = ToolModel(facts), Arrangement()
    arrangement.fill(Stock(sample_tools(), 7))
    model.show(sample_tools(), arrangement.sections(Query(), facts))
    return model


@pytest.fixture
def picture(theme: Theme, facts: Facts) -> Callable[..., QImage]:
    """Draws one row; `text` is the filter."""
    delegate = ToolDelegate(theme, facts)

    def draw(index: QModelIndex, text: str = "", state: QStyle.StateFlag = QStyle.StateFlag.State_Enabled) -> QImage:
        delegate.set_query(read_query(text))
        option = QStyleOptionViewItem()
        option.rect = QRect(0, 0, 280, delegate.sizeHint(option, index).height())
        option.state = state
        image = QImage(option.rect.size(), QImage.Format.Format_ARGB32)
        painter = QPainter(image)
        delegate.paint(painter, option, index)
        painter.end()
        return image

    return draw


def test_all_rows_are_equally_high(theme: Theme, facts: Facts, model: ToolModel) -> None:
    delegate, option = ToolDelegate(theme, facts), QStyleOptionViewItem()
    for index in (model.index(0, 0), model.index_of("read_file")):
        assert delegate.sizeHint(option, index).height() == ROW_HEIGHT


def test_a_match_a_selection_and_a_switch_can_be_seen(model: ToolModel, picture: Callable[..., QImage]) -> None:
    index = model.index_of("read_file")
    plain = picture(index)
    assert picture(index) == plain
    assert picture(index, "file") != plain
    assert picture(index, "rdf") not in (plain, picture(index, "file"))
    assert picture(index, state=QStyle.StateFlag.State_Selected) != plain
    assert picture(index, state=QStyle.StateFlag.State_MouseOver) != plain
    assert picture(model.index_of("run_command")) != plain


def test_what_was_found_in_a_grey_name_is_not_grey(model: ToolModel, picture: Callable[..., QImage]) -> None:
    index = model.index_of("run_command")

    def brightest(image: QImage, left: int, right: int) -> int:
        return max(image.pixelColor(x, y).lightness() for x in range(left, right) for y in range(20))

    plain, found = picture(index), picture(index, "run")
    name, rest = (50, 72), (80, 120)
    assert brightest(found, *name) > brightest(plain, *name) + 40
    assert brightest(found, *rest) == brightest(plain, *rest)


def test_every_badge_can_be_seen(facts: Facts, model: ToolModel, picture: Callable[..., QImage]) -> None:
    index = model.index_of("read_file")
    seen = [picture(index)]
    facts.findings = {"read_file": (Finding("a", "hint", "w", "a"),)}
    assert picture(index) == seen[0], "a hint is worth no badge"
    for change in (
        {"findings": {"read_file": (Finding("a", "warning", "w", "a"),)}},
        {"findings": {"read_file": (Finding("a", "error", "w", "a"),)}},
        {"changed": frozenset({("built-in", "read_file")})},
        {"waiting": {("built-in", "read_file"): 1}},
        {"waiting": {("built-in", "read_file"): 3}},
    ):
        for name, value in change.items():
            setattr(facts, name, value)
        seen.append(picture(index))
        assert seen[-1] not in seen[:-1]


def test_a_source_that_failed_says_so(facts: Facts, model: ToolModel, picture: Callable[..., QImage]) -> None:
    index = model.index(1, 0)
    plain = picture(index)
    ready = SourceView("git", "mcp", "config", "ready")
    facts.sources = {"git": ready}
    assert picture(index) == plain
    facts.sources = {"git": replace(ready, state="failed", reason="not found")}
    assert picture(index) != plain


def test_an_open_group_looks_other_than_a_closed_one(model: ToolModel, picture: Callable[..., QImage]) -> None:
    index = model.index(0, 0)
    assert picture(index) != picture(index, state=QStyle.StateFlag.State_Open)


def test_another_theme_is_drawn_anew(theme: Theme, model: ToolModel, picture: Callable[..., QImage]) -> None:
    index = model.index_of("read_file")
    dark = picture(index)
    theme.set_mode("light")
    light = picture(index)
    assert light != dark
    theme.set_mode("dark")
    assert picture(index) == dark


def test_the_check_box_lies_inside_of_its_row(theme: Theme, facts: Facts) -> None:
    row = QRect(0, 100, 280, ROW_HEIGHT)
    assert row.contains(ToolDelegate(theme, facts).box_rect(row))
