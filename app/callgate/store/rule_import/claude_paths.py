"""Paths in the permission rules of Claude Code: patterns as in `.gitignore`, anchored in one of four ways.

    //etc/hosts    from the root            /docs/**   from the folder of the settings file
    ~/notes/*      from the agent's home    src/**     from the folder it works in; a bare name: anywhere there

What allows is read narrowly, letter by letter; what restricts widely: wherever the agent's folders are, whatever the
case, and also where a shell command names such a path. All raise `ValueError`, in words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import regex

from callgate.core.rules.match import quoted
from callgate.core.rules.vscode_patterns import OUTSIDE, spelled_pattern

Anchor = Literal["root", "home", "settings", "work"]

_STEPS_UP = r"(?:^|/)\.\.?(?:/|\Z)|//"
_UP = r"(?:^|/)\.\.(?:/|\Z)"
_BEFORE = r"(?:\A|[\s/'\"=:<>|;&(){},@+-])"
_AFTER = r"(?=\Z|[\s/'\"<>|;&(){}:,*?])"
_SIGN_OF_WORD, _ANY_OF_WORD = r"[^/\s]", r"\S"
_WRITERS = (
    r"^(?:\S*/)?(?:chmod|chown|cp|dd|ed|ex|install|ln|mkdir|mv|patch|perl|rm|rmdir|rsync|sed|shred|tee|touch|truncate"
    r"|unlink|vi|vim)\b"
)
"""Commands that change the files they name."""


@dataclass(frozen=True, slots=True)
class PathPattern:
    anchor: Anchor
    steps: str
    """The part behind the anchor."""
    anywhere: bool
    """A bare name is meant in every folder below."""

    @property
    def is_plain(self) -> bool:
        """Whether it is also a glob of our own."""
        if self.steps.endswith("**/"):
            return False  # folders only
        return all(step == "**" or not re.search(r"\*\*|[\[\\]", step) for step in self.steps.split("/"))

    def regex(self, sign: str = "[^/]", any_sign: str = ".") -> str:
        """For what stands behind the anchor; what is below a folder is meant too."""
        depth = f"(?:{any_sign}*/)?" if self.anywhere else ""
        return depth + _steps_regex(self.steps, sign, any_sign)


def read_path(pattern: str) -> PathPattern:
    if pattern.startswith("!"):
        raise ValueError("a pattern that takes back another one has no counterpart here")
    for prefix, anchor in (("//", "root"), ("~/", "home"), ("/", "settings")):
        if pattern.startswith(prefix):
            return PathPattern(anchor, _needed(pattern[len(prefix) :]), False)  # type: ignore[arg-type]
    if pattern.startswith("~"):
        raise ValueError("whose home is meant is not known here")
    plain = pattern.removeprefix("./")
    bare = plain == pattern and "/" not in pattern.rstrip("/")
    return PathPattern("work", _needed(plain), bare)


def _needed(steps: str) -> str:
    if not steps.strip("/"):
        raise ValueError("the pattern means everything")
    return steps


def _steps_regex(steps: str, sign: str, any_sign: str) -> str:
    out: list[str] = []
    plain = steps.rstrip("/")
    index = 0
    while index < len(plain):
        char = plain[index]
        if plain.startswith("**/", index) and (not index or plain[index - 1] == "/"):
            out.append(f"(?:{any_sign}*/)?")
            index += 3
        elif plain.startswith("**", index):
            out.append(f"{any_sign}*")
            index += 2
        elif char in "*?":
            out.append(f"{sign}*" if char == "*" else sign)
            index += 1
        elif char == "[":
            end = plain.find("]", index + 2)
            inside = plain[index + 1 : end]
            if end < 0 or set(inside) & set("[\\/") or "--" in inside or "&&" in inside:
                raise ValueError("its set of letters is not read alike here")
            out.append(f"(?!/)[^{inside[1:]}]" if inside[0] in "!^" else f"[{inside}]")
            index = end + 1
        else:
            if char == "\\":
                index += 1
                char = plain[index : index + 1]
            out.append(regex.escape(char, literal_spaces=True))
            index += 1
    below = f"/{any_sign}*"
    if plain.endswith("**") and not steps.endswith("/"):
        return "".join(out)
    return "".join(out) + (below if steps.endswith("/") else f"(?:{below})?")


# ---- what allows ---------------------------------------------------------------------------------------------------


def allowed_reads(argument: str, pattern: str, root: str, *, anchored: bool) -> str:
    """`root` is the folder that the agent works in; `anchored`: the settings file belongs to that folder."""
    path = read_path(pattern)
    if path.anchor == "root":
        place = "/"
    elif not root:
        raise ValueError("which folder the agent works in is not known here")
    else:
        _belongs(path, anchored)
        place = regex.escape(root.rstrip("/"), literal_spaces=True) + "/"
    if path.is_plain:
        return _fits(f"args.{argument}", path, "/" if path.anchor == "root" else f"{root.rstrip('/')}/")
    inside = spelled_pattern(rf"\A{place}{path.regex()}\Z")
    # of a path that steps up, the text does not tell where it leads
    return f"args.{argument}~{inside} and not args.{argument}~{spelled_pattern(_STEPS_UP)}"


def allowed_edits(pattern: str, *, anchored: bool) -> str:
    path = read_path(pattern)
    if path.anchor == "root":
        return _fits("edits", path, "/") if path.is_plain else "edits~" + spelled_pattern(rf"\A/{path.regex()}\Z")
    _belongs(path, anchored)
    below = f"not edits~{spelled_pattern(OUTSIDE)}"
    if path.is_plain and (path.anywhere or "/" in path.steps.rstrip("/")):
        return f"({_fits('edits', path, '')}) and {below}"
    return "edits~" + spelled_pattern(rf"\A{path.regex()}\Z") + f" and {below}"


def _fits(field: str, path: PathPattern, place: str) -> str:
    """The same as globs of our own, which people can read. There must be a slash in each: else `*` goes deeper."""
    steps = ("**/" if path.anywhere else "") + path.steps.rstrip("/")
    below = steps if steps.endswith("**") else f"{steps}/**"
    globs = (below,) if steps.endswith("**") or path.steps.endswith("/") else (steps, below)
    return " or ".join(f"{field}:{quoted(place + glob)}" for glob in globs)


def _belongs(path: PathPattern, anchored: bool) -> None:
    if path.anchor == "home":
        raise ValueError("which folder is the agent's home is not known here")
    if path.anchor == "settings" and not anchored:
        raise ValueError(
            "a leading / means the folder that the settings belong to, and that is not known to be the workspace; "
            "spelled with ./ it would be"
        )


# ---- what restricts ------------------------------------------------------------------------------------------------


def restricted(field: str, pattern: str, root: str = "", *, anchored: bool = False) -> str:
    """Wherever such a path stands in a field; a path that steps up counts, as nobody can tell where it leads."""
    bodies = "|".join(path.regex() for path in _restricting(pattern, root, anchored))
    named = spelled_pattern(rf"(?is)(?:\A|/)(?:{bodies})\Z")
    return f"{field}~{named}" + ("" if field == "edits" else f" or {field}~{spelled_pattern(_UP)}")


def restricted_commands(pattern: str, root: str = "", *, anchored: bool = False, only_changes: bool) -> str:
    """Shell commands that name such a path: those commands read and change files too."""
    paths = _restricting(pattern, root, anchored)
    body = f"(?:{'|'.join(path.regex(_SIGN_OF_WORD, _ANY_OF_WORD) for path in paths)})"
    named = spelled_pattern(f"(?i){_BEFORE}{body}{_AFTER}")
    if not only_changes:
        return f"line~{named} or command~{named}"
    redirected = spelled_pattern(rf"(?i)>[|&]?\s*['\"]?(?:\S*/)?{body}{_AFTER}")
    return f"line~{redirected} or (command~{spelled_pattern(_WRITERS)} and command~{named})"


def _restricting(pattern: str, root: str, anchored: bool) -> list[PathPattern]:
    """A pattern as it is, and what is left of it for a path that is given from the folder the agent works in.

    `//srv/app/keys/**` means `keys/**` in `/srv/app`. Whose home or settings are meant is not known: each folder above.
    """
    path = read_path(pattern)
    above = [name for name in root.split("/") if name]
    if path.anchor == "work" or (path.anchor == "settings" and anchored):
        return [path]
    starts = [above] if path.anchor == "root" else [above[index:] for index in range(len(above))]
    steps = path.steps.rstrip("/").split("/")
    end = "/" if path.steps.endswith("/") else ""
    left = {place for folders in starts if folders for place in _reached(steps, folders)}
    bodies = ["/".join(steps[place:]) + end if place < len(steps) else "**" for place in sorted(left)]
    return [path, *(PathPattern(path.anchor, body, False) for body in bodies)]


def _reached(steps: Sequence[str], folders: Sequence[str]) -> set[int]:
    """How many steps of a pattern may stand for these folders, from the first one on."""
    places = {0}
    for folder in folders:
        reached: set[int] = set()
        for start in places:
            place = start
            while place < len(steps) and steps[place] == "**":
                reached.add(place)
                place += 1
            if place == len(steps):  # it means the folder, and so all below
                reached.add(place)
            elif regex.fullmatch(f"(?is){_steps_regex(steps[place], '[^/]', '.')}", folder):
                reached.add(place + 1)
        places = reached
    return places


def names_everything(pattern: str) -> bool:
    """Whether there is no path that it does not mean."""
    return re.fullmatch(r"(?:\./|/|//)?\*{1,2}(?:/\*{1,2})*", pattern) is not None
