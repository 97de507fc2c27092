"""The sources as rows. Shows what it is given; asks nobody."""

from enum import IntEnum

from PySide6.QtCore import Qt

from callgate.engine.sources.source_service import SourceView
from callgate.ui.sources.state_look import KIND_WORDS, ORIGIN_WORDS, STATE_LOOKS, tool_words
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.widgets.named_rows import NamedRows


class SourceRole(IntEnum):
    VIEW = Qt.ItemDataRole.UserRole + 1
    SEARCHED = Qt.ItemDataRole.UserRole + 2


class SourceModel(NamedRows[SourceView]):
    def shown(self, view: SourceView, role: int) -> object:
        match role:
            case SourceRole.VIEW:
                return view
            case SourceRole.SEARCHED:
                return f"{view.name} {KIND_WORDS[view.kind]} {view.where} {STATE_LOOKS[view.state].word} {view.server}"
            case Qt.ItemDataRole.DisplayRole:
                return reveal(view.name)
            case Qt.ItemDataRole.AccessibleTextRole:
                said = (view.name, STATE_LOOKS[view.state].word, tool_words(view.tools), KIND_WORDS[view.kind])
                return reveal(", ".join((*said, ORIGIN_WORDS[view.origin], view.reason)).rstrip(", "))
            case _:
                return None
