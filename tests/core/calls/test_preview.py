from typing import get_args

from callgate.core.calls.preview import CommandPreview, DiffPreview, Preview, UrlPreview


def test_every_preview_is_known_by_its_kind() -> None:
    previews = [DiffPreview("a", "", "x"), CommandPreview("ls"), UrlPreview("GET", "https://x/", "x")]
    assert {type(one) for one in previews} == set(get_args(Preview))
    assert [one.kind for one in previews] == ["diff", "command", "url"]
