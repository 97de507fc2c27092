"""An archive without a journal: what was asked of it, and answers to give."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from callgate.core.conversation import ConversationSummary
from callgate.core.events import ConversationMarked
from callgate.core.marks import Marks
from callgate.core.search.hit import SearchHit
from callgate.engine.console.archive import HITS, ExportPreview, Progress
from callgate.export.format import ExportOptions, Format


@dataclass(eq=False)
class FakeArchive:
    """Implements `engine.archive.ArchiveDesk`."""

    play: Callable[[list[ConversationMarked]], None]
    forget: Callable[[str], None]
    now: float = 0.0
    hits: list[SearchHit] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)
    marked: list[tuple[str, Marks]] = field(default_factory=list)
    leaving: list[str] = field(default_factory=list)
    purged: list[str] = field(default_factory=list)
    exported: list[tuple[tuple[str, ...], Format, ExportOptions, Path]] = field(default_factory=list)
    previewed: list[tuple[Format, ExportOptions]] = field(default_factory=list)
    imports: list[ConversationSummary] = field(default_factory=list)
    error: Exception | None = None
    """Raised by the next export, preview or import."""

    async def search(self, text: str, limit: int = HITS) -> Sequence[SearchHit]:
        self.searched.append(text)
        return self.hits[:limit]

    def mark(self, conversation_id: str, marks: Marks) -> None:
        self.marked.append((conversation_id, marks))
        self.play([ConversationMarked(conversation_id, marks, self.now)])

    def delete(self, conversation_id: str) -> None:
        self.leaving.append(conversation_id)

    def undelete(self, conversation_id: str) -> bool:
        known = conversation_id in self.leaving
        self.leaving = [other for other in self.leaving if other != conversation_id]
        return known

    async def purge(self, conversation_id: str) -> None:
        if self.undelete(conversation_id):
            self.purged.append(conversation_id)
            self.forget(conversation_id)

    async def preview(self, conversations: Sequence[str], form: Format, options: ExportOptions) -> ExportPreview:
        if self.error is not None:
            raise self.error
        self.previewed.append((form, options))
        found = (("key", 2), ("header", 1)) if options.redaction.secrets else ()
        return ExportPreview(
            len(conversations), len(conversations), 3, 4, 120, 2048, 4096, found, f"a sample of {form}\n" * 40
        )

    async def text(self, conversations: Sequence[str], form: Format, options: ExportOptions) -> str:
        return f"all of {form}"

    async def export(
        self,
        conversations: Sequence[str],
        form: Format,
        options: ExportOptions,
        path: Path,
        progress: Progress | None = None,
    ) -> int:
        if self.error is not None:
            raise self.error
        self.exported.append((tuple(conversations), form, options, path))
        if progress is not None:
            progress(len(conversations), len(conversations))
        return 4096

    async def import_file(self, path: Path) -> Sequence[ConversationSummary]:
        if self.error is not None:
            raise self.error
        return self.imports
