"""Files that decide what runs or what is asked, as far as a person has accepted them.

Whoever reads such a file hands in what was found and gets back what counts. What Callgate itself writes for the person
is accepted in the same step; every other change counts only as far as it narrows, until it is accepted.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson
import tomlkit

from callgate.core.config.items import Items, Kind, identical, json_content, json_items, rules_of, settings_tables
from callgate.core.config.widening import FileChange, Widening, accept, carry, compare
from callgate.core.errors import UserFault
from callgate.core.messages import Json
from callgate.store.files.accepted import AcceptedStates, State
from callgate.store.files.json_file import JsonFile, Stamp, replace_file, stamp_of
from callgate.store.files.trust_anchor import TrustAnchor

REJECTED = ".rejected"


@dataclass(frozen=True, slots=True)
class _Look:
    """A file as it was found last, and what follows."""

    path: Path
    kind: Kind
    found: Items
    text: str | None
    holding: Items
    widenings: tuple[Widening, ...]
    settled: str = ""
    """A mark of what was found at the look before: what stays the same is no file that is just being written."""

    @property
    def mark(self) -> str:
        return hashlib.sha256(json.dumps([self.found, self.text]).encode()).hexdigest()


@dataclass(slots=True)
class ReviewedFiles:
    """Not for several threads."""

    data: Path
    anchor: TrustAnchor = field(default_factory=TrustAnchor)
    _looks: dict[str, _Look] = field(default_factory=dict[str, _Look], init=False)
    _listeners: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]], init=False)
    accepted: AcceptedStates = field(init=False)
    is_new: bool = field(init=False)
    """Whether the data folder is used for the first time ever."""
    write_problem: str = field(default="", init=False)
    distrusted: str = field(default="", init=False)
    """What was wrong with `accepted.json`, until the person has accepted something anew."""

    def __post_init__(self) -> None:
        self.accepted = AcceptedStates(self.data, self.anchor)
        self.distrusted = self.accepted.problem
        self.is_new = self.accepted.is_first and not _is_used(self.data)

    def begin(self) -> None:
        """Notes that the data folder is in use, so that its next start is not its first."""
        if self.accepted.is_first:
            self._keep({})

    # ---- for those who read and write the files ----------------------------------------------------------------------

    def look(self, path: Path, kind: Kind, found: Items, text: str | None = None) -> Items:
        """What counts of a file. `text`: how it is written, where that is more than its items."""
        name = self.name_of(path)
        before = self._looks.get(name)
        state = self.accepted.get(name) or State()
        compared = compare(name, state.items, found)
        if compared.widenings and self.accepted.is_outdated and self.accepted.load():
            # another process may have accepted it in this moment
            compared = compare(name, (self.accepted.get(name) or State()).items, found)
        self._looks[name] = _Look(path, kind, found, text, compared.holding, compared.widenings)
        if (before.widenings if before else ()) != compared.widenings:
            self._tell()
        return compared.holding

    def trust(self, path: Path, found: Items, text: str) -> None:
        """Accepts a configuration as it is, because the person named it."""
        self._keep({self.name_of(path): State(found, text)})
        self.anchor.learn_text(self.name_of(path), text)

    def knows(self, path: Path) -> bool:
        return self.accepted.get(self.name_of(path)) is not None

    def wrote(self, path: Path, before: Items, after: Items, text: str | None = None) -> None:
        """Callgate has changed a file for the person."""
        name = self.name_of(path)
        state = self.accepted.get(name) or State()
        look = self._looks.get(name)
        items = carry(look.holding if look is not None else state.items, before, after)
        fresh = State(items, text if identical(items, after) else None)
        if fresh.text != state.text or not identical(items, state.items):
            self._keep({name: fresh})

    def settle(self) -> None:
        """Called now and then: what has narrowed for good is the accepted state from then on."""
        states: dict[str, State] = {}
        for name, look in self._looks.items():
            state = self.accepted.get(name) or State()
            whole = look.text if not look.widenings else None
            differs = not identical(look.holding, state.items) or (whole is not None and whole != state.text)
            if differs and look.settled == look.mark:
                states[name] = State(look.holding, whole)
            self._looks[name] = replace(look, settled=look.mark)
        if states and not self.distrusted:
            self._keep(states)

    # ---- for the person ----------------------------------------------------------------------------------------------

    def on_change(self, listener: Callable[[], None]) -> None:
        """`listener` is called whenever `changes` would answer differently."""
        self._listeners.append(listener)

    def changes(self) -> tuple[FileChange, ...]:
        return tuple(
            FileChange(name, str(look.path), look.widenings) for name, look in self._looks.items() if look.widenings
        )

    @property
    def problem(self) -> str:
        return f"{self.distrusted} Nothing that was accepted before counts." if self.distrusted else self.write_problem

    def accept(self, chosen: Sequence[Widening]) -> None:
        """From now on it counts. Raises `UserFault` where that cannot be kept."""
        states: dict[str, State] = {}
        for name, look in tuple(self._looks.items()):
            mine = [one for one in chosen if one.file == name]
            if not mine:
                continue
            items = accept(look.holding, mine)
            compared = compare(name, items, look.found)
            states[name] = State(items, look.text if not compared.widenings else None)
        self.accepted.put(states)
        self.write_problem = self.distrusted = ""
        self._look_again()

    def put_back(self, name: str) -> Path:
        """Restores what was accepted; what was found is kept beside it. Raises `UserFault`."""
        look = self._looks[name]
        state = self.accepted.get(name) or State()
        path = look.path.resolve()  # a link stays a link
        rejected = _free_name(path)
        try:
            if path.exists():
                path.replace(rejected)
            if state.items or state.text is not None:
                replace_file(path, _content(look.kind, state))
        except OSError as error:
            raise UserFault(f"{look.path} cannot be put back: {error.strerror or error}") from error
        self._looks[name] = replace(look, found=state.items, text=state.text)
        self._look_again()
        return rejected

    def reload(self) -> bool:
        """Reads what was accepted again, as another process may have changed it; returns whether it is different."""
        changed = self.accepted.load()
        self.distrusted = self.accepted.problem or (self.distrusted if not changed else "")
        if not changed:
            return False
        self._look_again()
        return True

    def name_of(self, path: Path) -> str:
        return path.name if path.parent == self.data else str(path.absolute())

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _look_again(self) -> None:
        for look in tuple(self._looks.values()):
            self.look(look.path, look.kind, look.found, look.text)
        self._tell()

    def _keep(self, states: Mapping[str, State]) -> None:
        try:
            self.accepted.put(states)
        except (UserFault, OSError) as fault:
            # what cannot be kept is shown as a difference at the next start: nothing counts that should not
            self.write_problem = f"What was accepted cannot be kept: {fault}"
            return
        self.write_problem = ""
        for name, state in states.items():
            if state.text is not None and Path(name).is_absolute():
                self.anchor.learn_text(name, state.text)

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()


class ReviewedJson(JsonFile):
    """A JSON file of the data folder: read as far as it is accepted, and accepted as it is written."""

    def __init__(self, path: Path, kind: Kind, files: ReviewedFiles) -> None:
        super().__init__(path)
        self._kind: Kind = kind
        self._files = files
        self._read: Items = {}

    def stamp(self) -> Stamp:
        """Also another process may have accepted what is in the file."""
        return (*super().stamp(), stamp_of(self._files.accepted.path))

    def write(self, value: Json) -> None:
        """Changes only what was changed since it was read: what waits to be accepted stays in the file."""
        before, after = self._read, json_items(self._kind, value)
        try:
            found = json_items(self._kind, orjson.loads(self.path.read_bytes()))
        except (OSError, orjson.JSONDecodeError):
            found = before
        if found != before:
            merged = {key: one for key, one in found.items() if key in after or key not in before}
            merged |= {key: one for key, one in after.items() if key not in before or before[key] != one}
            value = json_content(self._kind, merged)
        super().write(value)
        self._files.wrote(self.path, before, after)
        self._read = after
        self.counted(value)

    def counted(self, found: Json) -> Json:
        items = json_items(self._kind, found)
        self._read = self._files.look(self.path, self._kind, items)
        return found if identical(self._read, items) else json_content(self._kind, self._read)


def _is_used(folder: Path) -> bool:
    try:
        return folder.is_dir() and any(folder.iterdir())
    except OSError:  # whoever opens the folder says what is wrong with it
        return True


def json_file(path: Path, kind: Kind, files: ReviewedFiles | None) -> JsonFile:
    """A file of the data folder; without `files` everything that is found counts."""
    return JsonFile(path) if files is None else ReviewedJson(path, kind, files)


def _free_name(path: Path) -> Path:
    """No rejected file replaces another one."""
    number = 1
    while (free := path.with_name(path.name + REJECTED + (f"-{number}" if number > 1 else ""))).exists():
        number += 1
    return free


def _content(kind: Kind, state: State) -> bytes:
    if state.text is not None:
        return state.text.encode("utf-8")
    match kind:
        case "configuration":
            return tomlkit.dumps(settings_tables(state.items)).encode()
        case "rules":
            tables: dict[str, object] = {"rules": rules_of(state.items)}
            for name, prefix in (("spent", "spent:"), ("switched_on", "on:")):
                counted = {key.removeprefix(prefix): one for key, one in state.items.items() if key.startswith(prefix)}
                tables |= {name: counted} if counted else {}
            return tomlkit.dumps(tables).encode()
        case _:
            return orjson.dumps(json_content(kind, state.items), option=orjson.OPT_INDENT_2)
