"""Where the program's own files are: beside the package in a checkout, inside it once installed."""

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def resource(*parts: str) -> Path:
    """The path of a file or folder under `resources/`."""
    inside = _PACKAGE / "resources"
    root = inside if inside.is_dir() else _PACKAGE.parents[1] / "resources"
    return root.joinpath(*parts)
