"""The endpoints as rows. Shows what it is given; asks nobody."""

from enum import IntEnum

from PySide6.QtCore import Qt

from callgate.engine.endpoints.endpoint_service import EndpointView
from callgate.ui.endpoints.look import ORIGIN_WORDS, key_words, look_of, models_words, wire_words
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.widgets.named_rows import NamedRows


class EndpointRole(IntEnum):
    VIEW = Qt.ItemDataRole.UserRole + 1


class EndpointModel(NamedRows[EndpointView]):
    def shown(self, view: EndpointView, role: int) -> object:
        match role:
            case EndpointRole.VIEW:
                return view
            case Qt.ItemDataRole.DisplayRole:
                return reveal(view.name)
            case Qt.ItemDataRole.AccessibleTextRole:
                default = "the default" if view.is_default else ""
                said = (view.name, look_of(view).word, default, wire_words(view), models_words(view))
                return reveal(", ".join(filter(None, (*said, key_words(view), ORIGIN_WORDS[view.origin]))))
            case _:
                return None
