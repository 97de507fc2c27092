"""A timeline is kept as a picture: sharp pixels, or shapes that any program draws."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage
from tests.fakes.samples import sample_conversation

from callgate.core.timeline.bars import Timeline
from callgate.core.timeline.fold import TimelineFold
from callgate.ui.theme.theme import Theme
from callgate.ui.timeline.picture import save_png, save_svg


def timeline() -> Timeline:
    fold = TimelineFold()
    fold.apply_all(sample_conversation())
    return fold.timeline()


def test_a_png_holds_all_lanes_at_twice_the_size(theme: Theme, tmp_path: Path) -> None:
    save_png(timeline(), theme, tmp_path / "t.png", 800)
    image = QImage(str(tmp_path / "t.png"))
    assert image.width() == 1600 and image.height() > 2 * 24 * len(timeline().lanes)
    colours = {image.pixelColor(x, y).name() for x in range(0, 1600, 7) for y in range(0, image.height(), 5)}
    assert theme.color("waiting").name() in colours and theme.color("surface").name() in colours


def test_an_svg_holds_words_and_shapes_and_nothing_active(theme: Theme, tmp_path: Path) -> None:
    save_svg(timeline(), theme, tmp_path / "t.svg", "A <title>", 800)
    root = ElementTree.parse(tmp_path / "t.svg").getroot()
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert {"text", "path"} <= tags and "script" not in tags and "image" not in tags
    words = " ".join(element.text or "" for element in root.iter() if element.tag.endswith("text"))
    assert "run_command" in words and "Waiting for a person" in words
    assert root.get("viewBox") and "A <title>" in [e.text for e in root.iter() if e.tag.endswith("title")]


@pytest.mark.parametrize("save", [save_png, lambda t, th, path: save_svg(t, th, path, "")])
def test_a_place_that_cannot_be_written_to_is_said(theme: Theme, tmp_path: Path, save: object) -> None:
    with pytest.raises(OSError):
        save(timeline(), theme, tmp_path / "missing" / "t.png")  # type: ignore[operator]
