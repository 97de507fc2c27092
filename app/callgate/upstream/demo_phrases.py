"""Things that can be lifted out of a person's words: paths, commands, globs, places, numbers, quoted and free text.

What one argument has taken, another does not get. Knows no tools and no schemas.
"""

import re

_PATH = re.compile(
    r"(?<![\w/.*])(?:"
    r"(?:~|\.{1,2})?/?(?:[\w.@+-]+/)+[\w.@+-]*[\w/]"  # src/app, ./x, /etc/hosts, app/
    r"|/[\w.@+-]+"
    r"|[A-Za-z]:\\[\w\\.@+-]+"
    r"|[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,9}"  # notes.txt
    r"|\.[A-Za-z][\w-]+(?:\.\w+)*"  # .gitignore
    r"|(?:NOTICE|AUTHORS|CONTRIBUTING|Procfile|Gemfile)"
    r")(?![\w*])"
)
_WELL_KNOWN = {
    "readme": "README.md", "changelog": "CHANGELOG.md", "license": "LICENSE", "licence": "LICENSE",
    "makefile": "Makefile", "dockerfile": "Dockerfile",
}  # fmt: skip
_KNOWN_FILE = re.compile(rf"\b({'|'.join(_WELL_KNOWN)})\b(?![./\\-]\w)", re.IGNORECASE)
_NOT_A_FOLDER = (
    r"(?!(?:a|an|all|any|and|the|this|that|these|my|our|your|it|its|here|there|every|each|me|about|for|in|of|on|with|"
    r"files?|folders?|directory|directories|contents?|everything|python|code|text|order|detail|full|general|which|"
    r"workspace|project|current|working)\b)"
)
_FOLDERS = (
    re.compile(rf"\b{_NOT_A_FOLDER}([\w.@+/-]*\w)/?\s+(?:folder|directory|dir)\b", re.IGNORECASE),
    re.compile(rf"\b(?:folder|directory|dir)\s+(?:named\s+|called\s+)?{_NOT_A_FOLDER}([\w.@+/-]*\w)", re.IGNORECASE),
    re.compile(
        rf"\b(?:in|inside|under|within|below|of|ls)\s+(?:the\s+)?{_NOT_A_FOLDER}((?-i:[a-z0-9._@/~])[\w.@+/-]*\w)",
        re.IGNORECASE,
    ),
)
_LISTED_FOLDER = re.compile(rf"\blist\s+(?:the\s+)?{_NOT_A_FOLDER}([\w.@+/-]*\w)\s*$", re.IGNORECASE)
_HERE = re.compile(
    r"\b(?:this|current|the|working|root)\s+(?:folder|directory|dir|workspace|project)\b|\bhere\b", re.IGNORECASE
)
_NAMED_FILE = re.compile(
    r"\bfile\s+(?:named\s+|called\s+)?(?!in\b|and\b|for\b|to\b|of\b|the\b)([\w.@+/-]*\w)", re.IGNORECASE
)
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”|(?<!\w)'([^'\n]+)'(?!\w)")
_BACKTICKED = re.compile(r"`([^`\n]+)`")
_COMMAND = re.compile(
    r"\b(?:run|execute|exec|launch|start)\s+(?:(?:the\s+|this\s+)?(?:shell\s+)?command\s*(?::\s*|\s))?"
    r"(?!(?:the|my|our|all|some|an?|it|this|that)\b)(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_COURTESY = re.compile(
    r"(?:[\s,]*\b(?:please|for me|now|in the (?:terminal|shell)|thanks|thank you))+[\s.!?]*$|[.!?]+$", re.IGNORECASE
)
_URL = re.compile(r"https?://[^\s<>\"'`)]*[^\s<>\"'`).,;!?]")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_GLOB = re.compile(r"(?<!\w)[\w./\[\]{},-]*\*[\w./*\[\]{},-]*")
_EXTENSION = re.compile(r"(?<!\w)\*?\.([A-Za-z0-9]{1,8})\b(?=\s+files?\b|\s*$)")
_NAMED = re.compile(r"\b(?:named|called)\s+([\w.@+/-]*\w)", re.IGNORECASE)
_KINDS = {
    "python": "py", "markdown": "md", "javascript": "js", "typescript": "ts", "rust": "rs", "go": "go", "java": "java",
    "json": "json", "yaml": "yaml", "toml": "toml", "html": "html", "css": "css", "text": "txt", "shell": "sh",
    "ruby": "rb", "sql": "sql", "csv": "csv", "xml": "xml", "svg": "svg", "pdf": "pdf",
}  # fmt: skip
_KIND = re.compile(
    rf"\b({'|'.join(_KINDS)})\b(?:\s+source)?(?:\s+(?:code|files?|scripts?|documents?|modules?))?", re.IGNORECASE
)
_PROPER = r"[A-ZÀ-Þ][\w'’-]*(?:\s+(?:de|la|do|of)?\s?[A-ZÀ-Þ][\w'’-]*)*"
_PLACE_AFTER = re.compile(rf"\b(?:[Ii]n|[Ff]or|[Aa]t|[Nn]ear|[Oo]f|[Tt]o|[Ff]rom)\s+(?:the\s+)?({_PROPER})")
_PLACE = re.compile(
    rf"(?:(?<=\w\s)|^\s*)(?!(?:What|How|Is|The|And|In|Will|Does|Show|Tell|Get|Find|Read|List)\b)({_PROPER})"
)
_PLACE_LOWER = re.compile(
    r"\b(?:in|for|at|near)\s+(?!the\b|a\b|an\b|my\b|this\b|it\b|celsius\b|fahrenheit\b|kelvin\b|metric\b|imperial\b|degrees\b)"
    r"((?:(?:new|san|los|las|saint|st|rio|sao|buenos|cape|hong|tel)\s+(?:de\s+)?)?[a-zà-ÿ][\w'’-]{2,})"
)
_ZONE = re.compile(r"\b(?:[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)?|UTC|GMT)\b")
_ZONES = {
    "paris": "Europe/Paris", "london": "Europe/London", "berlin": "Europe/Berlin", "rome": "Europe/Rome",
    "madrid": "Europe/Madrid", "moscow": "Europe/Moscow", "tokyo": "Asia/Tokyo", "delhi": "Asia/Kolkata",
    "mumbai": "Asia/Kolkata", "shanghai": "Asia/Shanghai", "beijing": "Asia/Shanghai", "singapore": "Asia/Singapore",
    "dubai": "Asia/Dubai", "sydney": "Australia/Sydney", "new york": "America/New_York", "chicago": "America/Chicago",
    "los angeles": "America/Los_Angeles", "san francisco": "America/Los_Angeles", "sao paulo": "America/Sao_Paulo",
}  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)")
_RANGE = re.compile(r"(\d+)\s*(?:-|–|to|through|until)\s*(\d+)", re.IGNORECASE)
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?\b")
_ABOUT = re.compile(
    r"\b(?:for|about|saying|titled|entitled|named|called|regarding|containing|mentioning|that says?|the words?|"
    r"the text|occurrences of|mentions of|uses of|definition of|where is|where are|translate|remember|echo|say)"
    r"\s+(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_LEADING = re.compile(
    r"^\s*(?:(?:please|can|could|would|will|you|kindly|i|want|need|to|let's|now|just|also|and|then|the|a|an|some|any|"
    r"all|me|us|use|using|with|it|of|that)\b[\s,]*)+",
    re.IGNORECASE,
)
_LOOSE_END = re.compile(
    r"(?:[\s,]+(?:in|at|from|to|under|inside|within|of|on|with|and|as|the|into|for|file|folder))+\s*$", re.IGNORECASE
)
_EVERYWHERE = re.compile(
    r"\s+in\s+(?:the|this|my|all|our)\s+(?:code\w*|files?|projects?|repo\w*|workspace|sources?)\s*$", re.IGNORECASE
)
_PARTICIPLE = re.compile(r"\s+(?:defined|used|located|mentioned|implemented|declared|imported)\s*$", re.IGNORECASE)


class Phrases:
    """The words of one call; each `take` marks what it lifts, so that nothing is used twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._taken: list[tuple[int, int]] = []

    def path(self, *, folders: bool, files: bool) -> str | None:
        """A path: anything that looks like one, and where folders are meant also "the app folder" or "in src"."""
        for pattern in _FOLDERS if folders else ():
            found = self._take(pattern)
            if found:
                return found
        quoted = self._take(re.compile(r"[`\"']([\w./~@+\\-]+)[`\"']"))
        if quoted:
            return quoted
        found = self._take(_PATH)
        if found:
            return found
        known = self._take(_KNOWN_FILE)
        if known:
            return known if known == "LICENCE" else _WELL_KNOWN[known.lower()]
        if folders:
            return self._take(_LISTED_FOLDER) or ("." if self._take(_HERE) else None)
        return self._take(_NAMED_FILE) if files else None

    def paths(self) -> list[str]:
        return self._all(_PATH)

    def command(self, eager: bool = False) -> str | None:
        """A command line; where a command is known to be meant (`eager`), all that is left."""
        ticked = self._take(_BACKTICKED)
        if ticked:
            return ticked
        found = _COMMAND.search(self.text)
        if found:
            rest = self._rest(found.start("rest"))
            quoted = _QUOTED.fullmatch(rest)
            return next((group for group in quoted.groups() if group), rest) if quoted else rest or None
        return (_COURTESY.sub("", self._left()) or None) if eager else self.quoted()

    def glob(self) -> str | None:
        """A glob as it stands, or one made from "python files", ".md files", "named x" or a file's name."""
        found = self._take(_GLOB)
        if found:
            return found
        extension = self._take(_EXTENSION)
        if extension:
            return f"**/*.{extension.lower()}"
        quoted = self.quoted()
        if quoted:
            return quoted if set(quoted) & set("*?") else f"**/*{quoted}*"
        named = self._take(_NAMED) or self._take(_PATH)
        if named:
            return f"**/{named}" if "." in named else f"**/*{named}*"
        kind = self._take(_KIND)
        return f"**/*.{_KINDS[kind.lower()]}" if kind else None

    def place(self) -> str | None:
        found = self._take(_PLACE_AFTER) or self._take(_PLACE)
        if found:
            return found
        lower = self._take(_PLACE_LOWER)
        return lower.title() if lower else None

    def zone(self) -> str | None:
        found = self._take(_ZONE)
        if found:
            return found
        low = self.text.lower()
        return next((zone for city, zone in _ZONES.items() if re.search(rf"\b{city}\b", low)), None)

    def url(self) -> str | None:
        return self._take(_URL)

    def email(self) -> str | None:
        return self._take(_EMAIL)

    def date(self) -> str | None:
        return self._take(_DATE)

    def quoted(self) -> str | None:
        return self._take(_QUOTED)

    def all_quoted(self) -> list[str]:
        return self._all(_QUOTED)

    def number(self) -> str | None:
        return self._take(_NUMBER)

    def number_beside(self, names: list[str]) -> str | None:
        """A number that stands next to one of the names: "5 results", "limit of 5"."""
        for name in names:
            word = re.escape(name)
            found = self._take(re.compile(rf"\b{word}\w*\s*(?:of|is|to|at|=|:)?\s*(-?\d+(?:\.\d+)?)", re.IGNORECASE))
            found = found or self._take(re.compile(rf"(-?\d+(?:\.\d+)?)\s+(?:\w+\s+)?{word}\w*\b", re.IGNORECASE))
            if found:
                return found
        return None

    def range_end(self, first: bool) -> str | None:
        """One end of "lines 3 to 10"."""
        found = _RANGE.search(self.text)
        return found.group(1 if first else 2) if found else None

    def keyed(self, key: str) -> str | None:
        """What stands behind `key=` or `key:`, quoted or up to the next space."""
        name = re.sub(r"[_\s-]+", r"[_\\s-]?", re.escape(key).replace(r"\_", "_").replace(r"\-", "-"))
        pattern = rf"(?<![\w/]){name}\s*(?:=|:(?!//))\s*(?:\"([^\"]*)\"|'([^']*)'|`([^`]*)`|([^\s,;]+))"
        return self._take(re.compile(pattern, re.IGNORECASE))

    def free(self, also_leading: set[str]) -> tuple[str, bool]:
        """The text that is left, and whether something announced it ("for …", "about …")."""
        quoted = self.quoted()
        if quoted:
            return quoted, True
        left = self._left()
        about = _ABOUT.search(left)
        if about:
            return _tidy(about["rest"]), True
        left = _LEADING.sub("", left)
        words = left.split()
        while words and words[0].strip(".,!?:").lower() in also_leading:
            words.pop(0)
        return _tidy(_LEADING.sub("", " ".join(words))), False

    def _left(self) -> str:
        pieces: list[str] = []
        position = 0
        for start, end in sorted(self._taken):
            piece = self.text[position:start] if start > position else ""
            pieces.append(_LOOSE_END.sub("", piece))
            position = max(position, end)
        pieces.append(self.text[position:])
        return re.sub(r"\s+", " ", " ".join(pieces)).strip()

    def _rest(self, start: int) -> str:
        self._taken.append((start, len(self.text)))
        return _COURTESY.sub("", self.text[start:].strip()).strip()

    def _take(self, pattern: re.Pattern[str]) -> str | None:
        for found in pattern.finditer(self.text):
            if self._is_free(found):
                self._taken.append(found.span())
                return next((group for group in found.groups() if group is not None), found.group()) or None
        return None

    def _all(self, pattern: re.Pattern[str]) -> list[str]:
        found: list[str] = []
        while (one := self._take(pattern)) is not None:
            found.append(one)
        return found

    def _is_free(self, found: re.Match[str]) -> bool:
        return bool(found.group().strip()) and all(
            found.end() <= start or found.start() >= end for start, end in self._taken
        )


def _tidy(text: str) -> str:
    bare = _COURTESY.sub("", _LOOSE_END.sub("", text.strip()))
    return _PARTICIPLE.sub("", _EVERYWHERE.sub("", bare)).strip(" \t\n,;:?!")
