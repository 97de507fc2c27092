"""The patterns of VS Code's approval settings, as conditions of our own expression language.

Where the two cannot mean exactly the same, what approves is read narrowly and what withholds approval widely. All
raise `ValueError`, in words, for a pattern that cannot be read.
"""

import re

import regex

from callgate.core.match import quoted
from callgate.core.pattern import BadPattern, Pattern
from callgate.core.web_url import uniform_host, uniform_path

OUTSIDE = r"^(?:[/~]|\.\.(?:/|$)|[A-Za-z]:)|[\\]"
"""Paths that lead out of the workspace, or that are spelled so that nobody can tell."""
PROTECTED = r"(?i)(?:^|/)(?:\.git|\.vscode|\.idea|\.github)(?:/|$)|\.code-workspace$"
"""What runs by itself later, or decides what does."""

_MOST_BRACES = 4
_FLAGS = frozenset("dgimsuvy")
_SCHEME = re.compile(r"(https?|\*)://")
_REGEX_KEY = re.compile(r"/(.*)/([a-z]*)", re.DOTALL)


def edit_condition(glob: str, *, approves: bool) -> str:
    """Files that a glob means."""
    if not glob.strip():
        raise ValueError("the pattern is empty")
    pattern = _glob_regex(glob)
    if approves:
        return f"edits~{spelled_pattern(f'^{pattern}$')}"
    # a bare name means the file wherever it is, and case does not make another file everywhere
    anywhere = "" if "/" in glob else "(?:.*/)?"
    return f"edits~{spelled_pattern(f'(?i)^{anywhere}{pattern}$')}"


def url_condition(pattern: str, *, approves: bool) -> str:
    """Addresses that a pattern means: host with `*.` before it or not, and everything below the path."""
    if not pattern.strip():
        raise ValueError("the pattern is empty")
    if pattern == "*":
        return f"urls~{spelled_pattern('^https?://')}"
    found = _SCHEME.match(pattern)
    scheme = "https?" if found is None or found[1] == "*" else found[1]
    rest = pattern[found.end() :] if found else pattern
    host, slash, path = rest.partition("/")
    if not host or "@" in host or set(rest) & set("\\?# \t\n"):
        raise ValueError(f"{pattern!r} is no address that can be matched")
    start = "^" if approves else "(?i)^"
    return f"urls~{spelled_pattern(f'{start}{scheme}://{_host_regex(host, approves)}{_path_regex(slash + path)}$')}"


def command_condition(key: str, *, approves: bool, whole_line: bool = False) -> str:
    """Commands that begin with a text, or in which a `/regular expression/` is found."""
    if not key.strip():
        raise ValueError("the command is empty")
    found = _REGEX_KEY.fullmatch(key)
    if found is None:
        end = r"(?=\s|$)" if approves else r"(?!\w)"
        body, flags = f"^{regex.escape(key.strip())}{end}", ""
    else:
        body, given = found[1], found[2]
        if not body or set(given) - _FLAGS:
            raise ValueError(f"{key!r} is no regular expression: expected /pattern/ and flags of i, m, s, u")
        flags = "".join(sorted(set(given) & set("ims")))
    if whole_line and approves:
        # what approves a whole line must fit all of it, not a piece of it
        body = rf"\A(?:{body})\Z" if found else rf"\A{regex.escape(key.strip())}\Z"
    text = f"(?{flags}){body}" if flags else body
    return f"{'line' if whole_line else 'command'}~{spelled_pattern(text)}"


def spelled_pattern(pattern: str) -> str:
    """A regular expression as it must stand behind `~`."""
    try:
        Pattern(pattern)
    except BadPattern as bad:
        raise ValueError(f"not a regular expression: {bad.message}") from bad
    # a backslash before the closing quote would escape it
    return quoted(f"{pattern}(?:)" if pattern.endswith("\\") else pattern)


def _glob_regex(glob: str, depth: int = 0) -> str:
    """`**` crosses folders, `*` and `?` do not; `{a,b}` and `[a-z]` as usual."""
    out: list[str] = []
    index = 0
    while index < len(glob):
        char = glob[index]
        if glob.startswith("**/", index):
            out.append("(?:.*/)?")
            index += 3
        elif glob.startswith("**", index):
            out.append(".*")
            index += 2
        elif char in "*?":
            out.append("[^/]*" if char == "*" else "[^/]")
            index += 1
        elif char == "{":
            end = _brace_end(glob, index)
            if depth >= _MOST_BRACES:
                raise ValueError("braces are nested too deeply")
            choices = _split_choices(glob[index + 1 : end])
            out.append("(?:" + "|".join(_glob_regex(choice, depth + 1) for choice in choices) + ")")
            index = end + 1
        elif char == "[":
            end = glob.find("]", index + 2)
            if end < 0:
                raise ValueError("a [ is never closed")
            inside = glob[index + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            out.append(f"[^/{inside[1:]}]" if inside[0] in "!^" else f"[{inside}]")
            index = end + 1
        else:
            out.append(regex.escape(char, literal_spaces=True))
            index += 1
    return "".join(out)


def _brace_end(glob: str, start: int) -> int:
    depth = 0
    for index in range(start, len(glob)):
        depth += {"{": 1, "}": -1}.get(glob[index], 0)
        if not depth:
            return index
    raise ValueError("a { is never closed")


def _split_choices(text: str) -> list[str]:
    choices, depth = [""], 0
    for char in text:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and not depth:
            choices.append("")
        else:
            choices[-1] += char
    return choices


def _host_regex(host: str, approves: bool) -> str:
    name, colon, port = host.rpartition(":") if re.search(r":(\d+|\*)$", host) else (host, "", "")
    try:
        wild, name = name.startswith("*."), name.removeprefix("*.")
        name = name.lower() if name.isascii() else uniform_host(name)
    except ValueError as bad:
        raise ValueError(f"{host!r} is no host name that can be read in one way only") from bad
    below = ""
    if wild:
        below = r"(?:[^/:]+\.)" if approves else r"(?:[^/:]+\.)?"
    middle = "[^/:]+" if name == "*" else regex.escape(name).replace(r"\*", "[^/.:]*")
    if port == "*" or (not port and not approves):
        return rf"{below}{middle}(?::\d+)?"
    return f"{below}{middle}{colon}{port}"


def _path_regex(path: str) -> str:
    bare = path.rstrip("/").removesuffix("/*").removesuffix("/**")
    if bare in ("", "*"):
        return r"(?:[/?].*)?"
    spelled = regex.escape(uniform_path(bare, "*"), literal_spaces=True).replace(r"\*", "[^?]*")
    return rf"{spelled}(?:[/?].*)?"
