"""The patterns of VS Code's approval settings, as conditions of our own expression language.

Where the two cannot mean exactly the same, what approves is read narrowly and what withholds approval widely. All
raise `ValueError`, in words, for a pattern that cannot be read.
"""

import re

import regex

from callgate.core.rules.foreign_pattern import read_pattern
from callgate.core.rules.match import quoted
from callgate.core.rules.pattern import BadPattern, Pattern
from callgate.core.rules.web_url import uniform_host, uniform_path

OUTSIDE = r"^(?:[/~]|\.\.(?:/|$)|[A-Za-z]:)|[\\]"
"""Paths that lead out of the workspace, or that are spelled so that nobody can tell."""
PROTECTED = r"(?i)(?:^|/)(?:\.git|\.vscode|\.idea|\.github)(?:/|$)|\.code-workspace$"
"""What runs by itself later, or decides what does."""

_MOST_BRACES = 4
_SCHEME = re.compile(r"(https?|\*)://")
_REGEX_KEY = re.compile(r"/(.+)/([dgimsuvy]*)")
"""As VS Code tells it from a path: what stands behind the last slash must be flags."""


def edit_condition(glob: str, *, approves: bool) -> str:
    """Files that a glob means."""
    if not glob.strip():
        raise ValueError("the pattern is empty")
    pattern = _glob_regex(glob)
    if approves:
        return "edits~" + spelled_pattern(rf"\A{pattern}\Z")
    # a bare name means the file wherever it is, and case does not make another file everywhere
    anywhere = "" if "/" in glob else "(?:.*/)?"
    folder = glob
    while folder.endswith("/**"):
        folder = folder[:-3]
    if folder != glob:
        # there, what is said of all that is in a folder is said of the folder too
        pattern = f"{_glob_regex(folder)}(?:/.*)?"
    return "edits~" + spelled_pattern(rf"(?is)\A{anywhere}{pattern}\Z")


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
    below = _path_regex(slash + path, approves)
    return f"urls~{spelled_pattern(f'{start}{scheme}://{_host_regex(host, approves)}{below}$')}"


def command_condition(key: str, *, approves: bool, whole_line: bool = False) -> str:
    """Commands that begin with a text, or in which a `/regular expression/` is found."""
    if not key.strip():
        raise ValueError("the command is empty")
    found = _REGEX_KEY.fullmatch(key)
    if found is not None and "v" in found[2]:
        raise ValueError("sets of the flag v are not read alike by JavaScript and Callgate")
    if found is not None:
        body = read_pattern(found[1], "JavaScript", found[2].replace("g", ""))
        if approves and "y" in found[2]:
            raise ValueError("the flag y makes it depend on what was matched before")
    elif key.startswith("/") and key.endswith("/"):
        raise ValueError(f"{key!r} is no regular expression: expected /pattern/")
    else:
        body = _prefix_regex(key, approves)
    if whole_line and approves:
        # what approves a whole line must fit all of it, not a piece of it
        flags, rest = _split_flags(body) if found else ("", regex.escape(key, literal_spaces=True))
        body = rf"{flags}\A(?:{rest})\Z"
    elif whole_line and found is None:
        body = body.replace("^", r"^\s*", 1)
    return f"{'line' if whole_line else 'command'}~{spelled_pattern(body)}"


def _split_flags(pattern: str) -> tuple[str, str]:
    found = re.match(r"\(\?[aims]+\)", pattern)
    return (found[0], pattern[found.end() :]) if found else ("", pattern)


def _prefix_regex(key: str, approves: bool) -> str:
    r"""What a command begins with. There it is `^key\b`: behind a letter the word ends, behind a sign one begins."""
    text = regex.escape(key if approves else key.strip(), literal_spaces=True)
    folder = ""
    if "/" in key or "\\" in key:
        folder = r"(?:\./)?" if approves else r"(?:\.[/\\])?"
        text = text if approves else re.sub(r"\\\\|/", r"[/\\\\]", text)
    ends_a_word = re.search(r"[A-Za-z0-9_]\Z", key) is not None
    if approves:
        return f"^{folder}{text}" + (r"(?=\s|\Z)" if ends_a_word else "(?=[A-Za-z0-9_])")
    return f"^{folder}{text}" + ("(?![A-Za-z0-9_])" if re.search(r"[A-Za-z0-9_]\s*\Z", key) else "")


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
        # there, what stands before the dot may also end in the middle of a name
        below = r"(?:[^/:]+\.)" if approves else r"(?:[^/:]*)"
    if name == "*":
        middle = "[^/:]+" if approves else "[^/]+"
    else:
        middle = _starred(regex.escape(name), "[^/.:]" if approves else "[^/]", approves)
    if port == "*" or (not port and not approves):
        return rf"{below}{middle}(?::\d+)?"
    return f"{below}{middle}{colon}{port}"


def _path_regex(path: str, approves: bool) -> str:
    bare = path.rstrip("/")
    if not approves:
        bare = bare.removesuffix("/*").removesuffix("/**")
    if bare in ("", "*"):
        return r"(?:[/?].*)?"
    spelled = regex.escape(uniform_path(bare, "*"), literal_spaces=True)
    return rf"{_starred(spelled, '[^?]', approves)}(?:[/?].*)?"


def _starred(escaped: str, sign: str, approves: bool) -> str:
    """A text with its stars as patterns; one at the very end stands for at least one sign."""
    text = re.sub(r"(?:\\\*)+", "\\*", escaped) if approves else escaped
    if approves and text.endswith(r"\*"):
        text = f"{text[:-2]}{sign}+"
    return text.replace(r"\*", f"{sign}*")
