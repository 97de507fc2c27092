"""An endpoint as a row: its state, name and whether it is the default; below, its models."""

from callgate.engine.endpoint_desk import EndpointView
from callgate.ui.endpoints.list_model import EndpointRole
from callgate.ui.endpoints.look import look_of, models_words
from callgate.ui.state_row import Index, StateRow


def row_at(index: Index) -> StateRow | None:
    view = index.data(EndpointRole.VIEW)
    return row_of(view) if isinstance(view, EndpointView) else None


def row_of(view: EndpointView) -> StateRow:
    look = look_of(view)
    mark = "default" if view.is_default else ""
    return StateRow(view.name, look.icon, look.color, look.word, models_words(view), mark)
