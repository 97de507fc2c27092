"""Programs that, by an option or in their text, run another program or code, or write a file. Data, and nothing else.

How it is read is the business of `hidden`; that a command which hides something must be allowed for what it hides is
that of `reading` and `policy`. What is not here is judged by its name alone.
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
    "tar": Options(
        "--to-command --use-compress-program -I --rsh-command --rmt-command --info-script --new-volume-script -F"
    ),
    "rsync": Options("--rsh -e --rsync-path", files="--backup-dir --partial-dir --temp-dir --log-file --write-batch"),
    "man": Options("--pager -P --html -H"),
    "zip": Options("-TT --unzip-command"),
    "env": Options("--split-string -S"),
    "su": Options("--command -c"),
    "runuser": Options("--command -c"),
    "script": Options("--command -c"),
    "flock": Options("--command -c"),
    "ssh": Options(code="-F", files="-E"),
    "scp": Options("-S"),
    "sftp": Options("-S", code="-b"),
    "sort": Options("--compress-program", files="--output -o"),
    "split": Options("--filter"),
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
    "make": Options(code="--eval"),
    "python": Options(code="-c"),
    "perl": Options(code="-e -E"),
    "ruby": Options(code="-e"),
    "php": Options(code="--run -r --process-code -R"),
    "lua": Options(code="-e"),
    "node": Options(code="--eval -e --print -p --require -r --import"),
    "osascript": Options(code="-e"),
    "Rscript": Options(code="-e"),
    "julia": Options(code="--eval -e --print -E"),
    "elixir": Options(code="--eval -e"),
    "gcc": Options("-wrapper", files="-o"),
    "go": Options("-toolexec -exec -vettool", files="-o"),
    "curl": Options(
        code="--config -K",
        files="--output -o --output-dir --dump-header -D --cookie-jar -c --trace --trace-ascii --stderr --etag-save",
    ),
    "wget": Options(
        "--use-askpass", "--execute -e", files="--output-document -O --output-file -o --directory-prefix -P -a"
    ),
    "tree": Options(files="-o"),
    "unzip": Options(files="-d"),
    "patch": Options(files="--output -o --directory -d"),
    "cp": Options(files="--target-directory -t"),
    "mv": Options(files="--target-directory -t"),
    "ln": Options(files="--target-directory -t"),
    "install": Options(files="--target-directory -t"),
    "git": Options(
        "--exec --extcmd --upload-pack --receive-pack --tree-filter --index-filter --env-filter --msg-filter "
        "--commit-filter --tag-name-filter --parent-filter --open-files-in-pager",
        "--exec-path --config-env",
        "--output --output-directory",
    ),
}
_OTHER_NAMES = {
    "tar": "bsdtar gtar",
    "vi": "vim nvim view ex vimdiff gvim",
    "node": "nodejs bun",
    "gcc": "cc clang g++ clang++",
    "make": "gmake",
    "fd": "fdfind",
    "sort": "gsort",
    "mysql": "mariadb",
    "awk": "gawk mawk nawk",
    "sed": "gsed",
    "find": "gfind",
}
SAME: Final = {other: name for name, others in _OTHER_NAMES.items() for other in others.split()}
"""Other names of the same."""

SHELLS: Final = _names("ash bash dash sh")
"""Whose text can be taken apart."""

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

INSTALLERS: Final = _names("bun cargo gem go npm pip pip3 pipx pnpm uv yarn")
"""What they fetch from an address runs when it is built."""

WRITES_LAST: Final = _names("cp install ln mv rsync scp")
"""Their last operand is written to."""
WRITES_ALL: Final = _names("mkdir mkfifo tee touch truncate")

INTERPRETERS: Final = _names("Rscript elixir julia lua node osascript perl php python ruby")
"""Behind the name of a script, options are the script's own."""

GIT_SHORT: Final = {"rebase": "-x", "difftool": "-x", "grep": "-O"}
"""Options that run a command, by verb; elsewhere the same letter means something else."""
GIT_RUNS: Final = (
    *("alias.", "core.editor", "core.fsmonitor", "core.hookspath", "core.pager", "core.sshcommand", "core.askpass"),
    *("credential.", "diff.external", "gpg.", "pager.", "sequence.editor", "uploadpack.", "browser.", "man."),
)
"""Beginnings of settings whose value is a command."""
GIT_HARMLESS: Final = (
    *("advice.", "author.", "color.", "column.", "commit.gpgsign", "commit.verbose", "committer.", "core.abbrev"),
    *("core.autocrlf", "core.quotepath", "core.safecrlf", "diff.algorithm", "diff.noprefix", "diff.renames"),
    *("init.defaultbranch", "log.", "pull.", "push.default", "rebase.autostash", "status.", "tag.sort", "user."),
)
SSH_VALUES: Final = _names("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w")
SSH_RUNS: Final = ("knownhostscommand", "localcommand", "proxycommand", "remotecommand", "xauthlocation")
