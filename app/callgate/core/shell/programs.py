"""Programs without a table of their own (`resources/programs`) that run another program or code, or write a file, by an
option. What is in neither place is judged by its name alone.
"""

from dataclasses import dataclass
from typing import Final


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Options:
    """Options whose value says more than it seems; several in one text, apart by blanks."""

    commands: str = ""
    """The value is a command, for a shell or by itself."""
    code: str = ""
    """The value is code of another language, or a file or place that code comes from."""
    files: str = ""
    """The value is a file or folder that is written to."""


OPTIONS: Final[dict[str, Options]] = {
    "man": Options("--pager -P --html -H"),
    "su": Options("--command -c"),
    "runuser": Options("--command -c"),
    "script": Options("--command -c"),
    "flock": Options("--command -c"),
    "rg": Options("--pre --hostname-bin"),
    "fd": Options("--exec -x --exec-batch -X"),
    "tcpdump": Options("-z", files="-w"),
    "nc": Options("-e -c"),
    "ncat": Options("--exec -e --sh-exec -c", code="--lua-exec"),
    "yt-dlp": Options("--exec", files="--output -o"),
    "gdb": Options(code="-ex --eval-command -x --command -ix -iex"),
    "psql": Options(code="--command -c", files="--output -o"),
    "mysql": Options(code="--execute -e"),
    "vi": Options(code="-c --cmd -S"),
    "emacs": Options(code="--eval --execute --funcall -f --load -l --script"),
    "less": Options(files="--log-file -o --LOG-FILE -O"),
    "gcc": Options("-wrapper", files="-o"),
    "tree": Options(files="-o"),
}
_OTHER_NAMES = {
    "vi": "vim nvim view ex vimdiff gvim",
    "gcc": "cc clang g++ clang++",
    "fd": "fdfind",
    "mysql": "mariadb",
}
SAME: Final = {other: name for name, others in _OTHER_NAMES.items() for other in others.split()}
"""Other names of the same."""

JOINING: Final = _names("parallel watch")
"""What they are given they hand to a shell as one text."""

RUNNERS: Final[dict[str, tuple[str, ...]]] = {
    "npx": ("",),
    "bunx": ("",),
    "uvx": ("",),
    "npm": ("exec", "x"),
    "pnpm": ("exec", "dlx"),
    "yarn": ("exec", "dlx"),
    "bun": ("x",),
    "uv": ("run", "tool run"),
    "pipx": ("run",),
    "poetry": ("run",),
    "pdm": ("run",),
    "rye": ("run",),
    "hatch": ("run",),
    "conda": ("run",),
    "bundle": ("exec",),
    "devbox": ("run",),
    "mise": ("exec", "x"),
    "direnv": ("exec",),
    "docker": ("run", "exec", "container run", "container exec", "compose run", "compose exec"),
    "podman": ("run", "exec", "container run", "container exec"),
    "kubectl": ("exec", "run", "debug"),
    "git": ("bisect run", "submodule foreach"),
}
"""Programs that run what stands behind some of their verbs, wherever they find or fetch it."""
PLACES_FIRST: Final = _names("direnv docker kubectl podman")
"""Before the command they name where it is to run: an image, a container, a folder."""

INSTALLERS: Final = _names("gem pipx")
"""What they fetch from an address runs when it is built."""
