"""From a command line to its sub-commands: the walk over the tree that tree-sitter-bash gives.

Only what is known to be harmless passes without a concern: simple commands, joined by `;`, `&&`, `||`, `|`, new lines,
parentheses and braces. Everything else is still walked, so that rules that deny see every command in it.
"""

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from callgate.core.rules.glob import collapsed
from callgate.core.shell.command import LONGEST, PROBE, InnerCommand, ShellCommand, SubCommand
from callgate.core.shell.hidden import Hidden, hidden_in
from callgate.core.shell.lexing import (
    is_blank,
    is_one_word,
    separates,
    strange_character,
    too_intricate,
    unquoted_lines,
)
from callgate.core.shell.words import SUBSTITUTIONS, Word, read_word, shown, text_of
from callgate.core.shell.wrappers import changes_folder, execution_concern, inner_places, name_of, sets_harmlessly

# Where the redirections of a command lead: within the workspace, or somewhere that a person should look at.
_HARMLESS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin"})


def redirection_concern(target: Word, operator: str, root: str, *, moves: bool) -> str:
    """Why a redirection needs a person; empty = it does not. `moves` = the line changes its folder by itself.

    Links are not followed here, as nothing is looked up: whoever knows the workspace does that.
    """
    path = target.literal
    if _is_descriptor(path, operator):
        return ""
    if not target.is_certain:
        return f"a redirection to a place that is known only when it runs: {shown(path)}"
    astray = leads_astray(path, root, moves=moves)
    return f"a redirection {astray}: {shown(path)}" if astray else ""


def leads_astray(path: str, root: str, *, moves: bool) -> str:
    """Where a file that is written lies, if a person should look at it; empty = within the workspace."""
    if path in _HARMLESS:
        return ""
    place = posixpath.normpath(path)
    if place.startswith("/"):
        home = posixpath.normpath(root) if root else ""
        if not home or not place.startswith(f"{home.rstrip('/')}/"):
            return "out of the workspace"
        place = place[len(home.rstrip("/")) + 1 :]
    elif moves:
        return "after a change of folder"
    if place.startswith(("..", "~")):
        return "out of the workspace"
    if any(step.startswith(".") and step != "." for step in place.split("/")):
        return "to a hidden file"
    return ""


def is_file(target: Word, operator: str) -> bool:
    """Whether a redirection leads to a file at all."""
    return not _is_descriptor(target.literal, operator) and target.literal not in _HARMLESS


def _is_descriptor(path: str, operator: str) -> bool:
    return operator.endswith("&") and (path.isdecimal() or path == "-")


_BASH = Language(tree_sitter_bash.language())
_DEEPEST = 60
"""Levels of nesting that are walked; people do not write more."""
_JOINTS = frozenset({";", "&&", "||", "|", "|&", "\n", "(", ")", "{", "}", "!"})
_REDIRECTIONS = frozenset({">", ">>", "<", ">|", "&>", "&>>", ">&", "<&", ">&-", "<&-"})
_DESCRIPTORS = frozenset("0123456789")
_DEEPEST_TEXTS = 3
"""Commands within texts of commands that are taken apart; deeper ones are code."""
_OTHERS = {"unknown": "not covered", "code": "runs code", "command": "runs code", "file": "writes"}
_STRINGS = re.compile(r"[;&|!\n(){}`\"']+")
"""What may end a command within a code."""
_MOST_TAILS = 100
_PIECES = re.compile(r"[;&|\n\r(){}`]+|\$\(")
_CONSTRUCTS = {
    "for_statement": "a loop",
    "c_style_for_statement": "a loop",
    "while_statement": "a loop",
    "if_statement": "a condition",
    "case_statement": "a condition",
    "function_definition": "it defines a function",
    "variable_assignments": "it sets variables",
    "unset_command": "it unsets variables",
    "heredoc_redirect": "a here-document",
    "herestring_redirect": "a here-string",
}


@lru_cache(maxsize=128)
def parse_command(text: str, root: str = "", *, moved: bool = False, depth: int = 0) -> ShellCommand:
    """The line's sub-commands and concerns. `root` is the workspace; `moved` = it may run outside of it; `depth` = in
    how many other commands it stands as a text."""
    early = _unfit(text)
    if early:
        return ShellCommand(text, _torn(text), (early,))
    walk = _walked(text, root, moved, depth)
    parts = walk.parts
    if walk.is_doubtful:
        by_line = _line_by_line(text, root, moved, depth)
        if by_line:
            return ShellCommand(text, tuple(by_line), files=_once(walk.files), writes=_once(walk.writes))
        parts = [*parts, *_torn(text)]
    concerns = list(dict.fromkeys(walk.concerns))
    if not parts:
        concerns.append("it has no command")
    return ShellCommand(text, tuple(parts), tuple(concerns), _once(walk.files), _once(walk.writes))


def _once(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


def _patterns(words: Sequence[Word]) -> frozenset[int]:
    return frozenset(at for at, word in enumerate(words) if not word.is_certain)


def _walked(text: str, root: str, moved: bool, depth: int) -> "_Walk":
    data = text.encode("utf-8")
    walk = _Walk(data, root, moved, depth)
    walk.document(Parser(_BASH).parse(data).root_node)
    return walk


def _line_by_line(text: str, root: str, moved: bool, depth: int) -> list[SubCommand]:
    """The parts of a text of several lines, each a command of its own; none if there is any doubt about one.

    The parser sometimes takes a new line behind a pipeline for a blank.
    """
    parts: list[SubCommand] = []
    for start, line in unquoted_lines(text):
        if not line.strip():
            continue
        walk = _walked(line, root, moved, depth)
        if walk.concerns:
            return []
        moved = moved or walk.moves
        parts += (replace(part, position=start + part.position) for part in walk.parts)
    return parts


def _unfit(text: str) -> str:
    """Why a line is not even parsed."""
    if len(text) > LONGEST:
        return f"it is longer than {LONGEST:,} characters"
    strange = strange_character(text)
    if strange:
        return f"it has an invisible or control character ({strange})"
    if too_intricate(text):
        return "it has too many special signs to be taken apart"
    return ""


def _torn(text: str) -> tuple[SubCommand, ...]:
    """A line that cannot be parsed, torn at every sign that could end a command: enough for rules that deny."""
    pieces = dict.fromkeys(piece.strip() for piece in _PIECES.split(text[:LONGEST]))
    return tuple(SubCommand(piece, tuple(piece.split()), max(text.find(piece), 0)) for piece in pieces if piece)


def _inner(texts: Sequence[str], places: Sequence[slice]) -> Iterator[InnerCommand]:
    for place in places:
        yield InnerCommand(" ".join(texts[place]), _probe(texts, place.start))


def _probe(texts: Sequence[str], at: int, kept: str = "", *, joined: bool = False) -> str:
    """A command with something else in the place of what it runs; `kept` is what stands before that in its word."""
    return " ".join((*texts[:at], f"{kept}{PROBE}", *(() if joined else texts[at + 1 :])))


def _tails(code: str) -> list[str]:
    """What in a code may be a command, wherever it begins."""
    tails: list[str] = []
    for piece in _STRINGS.split(code):
        words = piece.split()
        tails += (" ".join(words[start:]) for start in range(len(words)))
    return tails[:_MOST_TAILS]


class _Walk:
    def __init__(self, data: bytes, root: str, moved: bool, depth: int) -> None:
        self.parts: list[SubCommand] = []
        self.concerns: list[str] = []
        self.is_doubtful = False
        """Whether the parser and a shell may see different things."""
        self._data = data
        self._root = root
        self._depth = depth
        self.moves = moved
        """Whether it changes its folder."""
        self.files: list[str] = []
        self.writes: list[str] = []
        self._redirections: list[tuple[Word, str]] = []

    def document(self, root: Node) -> None:
        if root.has_error:
            self._doubt("it cannot be parsed")
        if not is_blank(self._text(0, root.start_byte)) or not is_blank(self._text(root.end_byte, len(self._data))):
            self._doubt("it cannot be parsed")
        self._statement(root, 0)
        for target, operator in self._redirections:
            concern = redirection_concern(target, operator, self._root, moves=self.moves)
            if concern:
                self.concerns.append(concern)
            elif is_file(target, operator):
                self.files.append(target.literal)

    # ---- statements ------------------------------------------------------------------------------------------------

    def _statement(self, node: Node, depth: int) -> None:
        if depth > _DEEPEST:
            self._doubt("it is nested too deeply")
            return
        match node.type:
            case "program" | "list" | "pipeline" | "subshell" | "compound_statement" | "negated_command":
                self._joined(node, depth)
            case "redirected_statement":
                self._gaps(node)
                for child in node.children:
                    self._statement(child, depth + 1)
            case "command":
                self._command(node, depth)
            case "file_redirect":
                self._redirection(node, depth)
            case "comment":
                if not self._is_comment(node):
                    self._doubt(f"this may be no comment: {shown(text_of(node))}")
            case "test_command":
                if not all(map(is_one_word, text_of(node).split())) or "\n" in text_of(node):
                    self._doubt(f"a test that is not understood: {shown(text_of(node))}")
                self._plain_part(node)
                self._within(node, depth)
            case "declaration_command" | "variable_assignment":
                self.concerns.append(f"it sets a variable: {shown(text_of(node))}")
                self._plain_part(node)
                self._within(node, depth)
            case kind if kind in _CONSTRUCTS:
                self.concerns.append(f"{_CONSTRUCTS[kind]}: {shown(text_of(node))}")
                self._within(node, depth)
            case "ERROR":
                self._within(node, depth)
            case _:
                self._doubt(f"a part of an unknown kind: {shown(text_of(node))}")
                self._within(node, depth)

    def _joined(self, node: Node, depth: int) -> None:
        self._gaps(node)
        for child in node.children:
            if child.is_named:
                self._statement(child, depth + 1)
            elif child.type == "&":
                self.concerns.append("it leaves something running in the background")
            elif child.type not in _JOINTS or (child.type == "!" and not self._stands_alone(child)):
                self._doubt(f"{shown(text_of(child))} is not understood here")

    def _within(self, node: Node, depth: int) -> None:
        """Everything of interest below a node that itself is already a concern, or that holds only words."""
        if depth > _DEEPEST:
            self._doubt("it is nested too deeply")
            return
        for child in node.named_children:
            match child.type:
                case "command" | "redirected_statement" | "file_redirect" | "list" | "pipeline" | "subshell":
                    self._statement(child, depth + 1)
                case "simple_expansion" | "expansion" | "ansi_c_string" | "arithmetic_expansion":
                    self.concerns += read_word(child, text_of(child)).concerns
                    self._within(child, depth + 1)
                case kind if kind in SUBSTITUTIONS:
                    self._substitution(child, depth)
                case kind if kind in _CONSTRUCTS or kind in ("declaration_command", "test_command"):
                    self._statement(child, depth + 1)
                case _:
                    self._within(child, depth + 1)

    # ---- simple commands -------------------------------------------------------------------------------------------

    def _command(self, node: Node, depth: int) -> None:
        words: list[Word] = []
        self._gaps(node, in_command=True)
        for child in node.children:
            match child.type:
                case "variable_assignment" if sets_harmlessly(text_of(child)):
                    pass
                case "variable_assignment":
                    self.concerns.append(f"it sets a variable for the command: {shown(text_of(child))}")
                    self._within(child, depth)
                case "file_redirect" | "herestring_redirect" | "heredoc_redirect":
                    self._statement(child, depth + 1)
                case _:
                    word = self._word(child, depth)
                    if child.type == "command_name" and not (word.is_certain and word.literal):
                        self.concerns.append(f"which program runs is known only when it runs: {shown(text_of(child))}")
                    words.append(word)
        if words:
            self._part(words, node)

    def _word(self, node: Node, depth: int) -> Word:
        word = read_word(node, text_of(node))
        self.concerns += word.concerns
        for child in (node, *node.named_children):
            if child.type in SUBSTITUTIONS:
                self._substitution(child, depth)
            elif child is not node:
                self._within_word(child, depth + 1)
        return word

    def _within_word(self, node: Node, depth: int) -> None:
        if depth > _DEEPEST:
            self._doubt("it is nested too deeply")
            return
        for child in node.named_children:
            if child.type in SUBSTITUTIONS:
                self._substitution(child, depth)
            else:
                self._within_word(child, depth + 1)

    def _substitution(self, node: Node, depth: int) -> None:
        what = "a process substitution" if node.type == "process_substitution" else "a command substitution"
        self.concerns.append(f"{what}: {shown(text_of(node))}")
        self._within(node, depth + 1)

    def _part(self, words: Sequence[Word], node: Node) -> None:
        literals = tuple(word.literal for word in words)
        places = list(inner_places(literals))
        wrapped = [literals[place] for place in places]
        self.concerns += filter(None, map(execution_concern, (literals, *wrapped)))
        self.moves = self.moves or (changes_folder(literals) and not self._stays(literals))
        texts = [word.text for word in words]
        text = " ".join(texts)
        bare = [name_of([texts[0]]), *texts[1:]]
        starts = (0, *(place.start for place in places))
        hidden = [
            (start, found)
            for start, argv in zip(starts, (literals, *wrapped), strict=True)
            for found in hidden_in(name_of(argv), argv, globbed=_patterns(words[start:]), moved=self.moves)
        ]
        # a text that is taken apart is no program's name
        texts_run = {start + found.word for start, found in hidden if found.kind == "command"}
        seen = list(_inner(texts, [place for place in places if place.start not in texts_run]))
        more: list[str] = []
        for start, found in hidden:
            inner, readings = self._hidden(found, words, texts, start)
            seen += inner
            more += readings
        others = (
            text_of(node),
            " ".join(bare),
            " ".join(map(collapsed, texts)),
            " ".join(literals),
            *map(shlex.join, wrapped),
            *more,
        )
        readings = tuple(dict.fromkeys(other for other in others if other != text))
        self.parts.append(SubCommand(text, literals, self._position(node), readings, tuple(dict.fromkeys(seen))))

    def _stays(self, words: Sequence[str]) -> bool:
        """Whether a change of folder leads to the workspace itself, where the line begins."""
        home = posixpath.normpath(self._root) if self._root else "."
        return len(words) == 2 and words[0] == "cd" and posixpath.normpath(words[1]) in (".", home)

    def _hidden(
        self, found: Hidden, words: Sequence[Word], texts: Sequence[str], start: int
    ) -> tuple[list[InnerCommand], list[str]]:
        """What is hidden in a word, as commands that must be allowed too, and as what rules that restrict see of it."""
        at = start + found.word
        within = words[at:] if found.joined else words[at : at + 1]
        certain = all(word.is_certain for word in within)
        probe, example = _probe(texts, at, words[at].literal[: found.start], joined=found.joined), ""
        if found.whole:
            probe, example = f"{' '.join(texts)} {PROBE}", " ".join(texts)
        else:
            example = " ".join(texts[: at + 1]) + ("*" if at + 1 < len(texts) else "")
        if found.kind in ("file", "perhaps"):
            return self._written(found, words[at], probe, example), []
        if found.kind == "command" and certain and self._depth < _DEEPEST_TEXTS:
            inner = parse_command(found.text, self._root, moved=self.moves, depth=self._depth + 1)
            self.concerns += inner.concerns
            self.files += inner.files
            self.writes += inner.writes
            seen = [
                InnerCommand(one, probe, words_of)
                for part in inner.parts
                for one, words_of in (
                    (part.argv_text, found.words),
                    *((deep.argv_text, deep.words) for deep in part.inner),
                )
            ]
            readings = [one for part in inner.parts for one in (part.argv_text, *part.readings)]
            return seen, readings
        if not certain and found.kind != "unknown":
            self.concerns.append(f"what it runs is known only when it runs: {shown(found.text)}")
        label = _OTHERS[found.kind]
        code = InnerCommand(f"({label}) {shlex.quote(found.text)}", probe, found.words, example)
        return [code], [] if found.kind == "unknown" else _tails(found.text)

    def _written(self, found: Hidden, word: Word, probe: str, example: str) -> list[InnerCommand]:
        """A file that is written: within the workspace it is told, elsewhere it must be allowed."""
        path = found.text
        if path != ".":
            self.writes.append(path)
        if found.kind == "perhaps":
            return []
        # a pattern becomes names of files in the folder that it names itself
        certain = (word.is_certain or word.is_pattern) and "{}" not in path
        astray = leads_astray(path, self._root, moves=self.moves)
        if certain and not astray:
            if path != ".":
                self.files.append(path)
            return []
        why = f"{found.words or f'it writes {path}'}, {astray or 'which is known only when it runs'}"
        return [InnerCommand(f"(writes) {shlex.quote(path)}", probe, why, example)]

    def _plain_part(self, node: Node) -> None:
        raw = text_of(node)
        self.parts.append(SubCommand(raw, tuple(raw.split()), self._position(node)))

    def _redirection(self, node: Node, depth: int) -> None:
        operator = next((child for child in node.children if not child.is_named), None)
        if operator is None or not self._is_redirection(node, operator):
            self._doubt(f"a redirection that is not understood: {shown(text_of(node))}")
        targets = [child for child in node.named_children if child.type != "file_descriptor"]
        if len(targets) > 1:
            self._doubt(f"words after a redirection: {shown(text_of(node))}")
        for child in targets:
            self._redirections.append((self._word(child, depth), text_of(operator) if operator is not None else ""))

    # ---- checks ----------------------------------------------------------------------------------------------------

    def _gaps(self, node: Node, *, in_command: bool = False) -> None:
        """Between two tokens there must be nothing that a shell would not skip."""
        end = node.start_byte
        for index, child in enumerate(node.children):
            gap = self._text(end, child.start_byte)
            fine = separates(gap) if in_command and index else is_blank(gap) and gap != "\\\n"
            if not fine and not (in_command and child.type.endswith("_redirect") and is_blank(gap)):
                self._doubt(f"the shell may read this otherwise than it looks: {shown(text_of(node))}")
            end = child.end_byte
        if not is_blank(self._text(end, node.end_byte)):
            self._doubt(f"the shell may read this otherwise than it looks: {shown(text_of(node))}")

    def _is_redirection(self, node: Node, operator: Node) -> bool:
        """One digit directly before the sign is part of it; anything else there is a word, to some shell at least."""
        descriptor = self._text(node.start_byte, operator.start_byte)
        before = self._text(node.start_byte - 1, node.start_byte) if node.start_byte else " "
        after = self._text(operator.end_byte, node.children[-1].start_byte)
        begins = not descriptor or (descriptor in _DESCRIPTORS and before in " \t\n;&|()<>")
        return begins and text_of(operator) in _REDIRECTIONS and "\n" not in after.replace("\\\n", "")

    def _stands_alone(self, node: Node) -> bool:
        return is_blank(self._text(node.end_byte, node.end_byte + 1)) and node.end_byte < len(self._data)

    def _is_comment(self, node: Node) -> bool:
        before = self._data[node.start_byte - 1 : node.start_byte] if node.start_byte else b"\n"
        return before in (b"\n", b" ", b"\t", b";") and "\n" not in text_of(node)

    def _doubt(self, concern: str) -> None:
        self.is_doubtful = True
        self.concerns.append(concern)

    def _text(self, start: int, end: int) -> str:
        return self._data[start:end].decode("utf-8", "replace")

    def _position(self, node: Node) -> int:
        return len(self._text(0, node.start_byte))
