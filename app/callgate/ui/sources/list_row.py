"""A source as a row: its state, name and tools; below, how it is doing. Pure but for the index it reads."""

from callgate.engine.source_desk import SourceView
from callgate.ui.sources.list_model import SourceRole
from callgate.ui.sources.state_look import KIND_WORDS, STATE_LOOKS, TRANSPORT_WORDS, tool_words
from callgate.ui.state_row import Index, StateRow


def row_at(index: Index) -> StateRow | None:
    view = index.data(SourceRole.VIEW)
    return row_of(view) if isinstance(view, SourceView) else None


def row_of(view: SourceView) -> StateRow:
    look = STATE_LOOKS[view.state]
    kind = " · ".join(filter(None, (KIND_WORDS[view.kind], TRANSPORT_WORDS[view.transport])))
    return StateRow(
        view.name,
        look.icon,
        look.color,
        look.word,
        view.reason if view.state == "failed" else kind,
        tool_words(view.tools) if view.state == "ready" or view.tools else "",
        faded=view.state in ("off", "stopped"),
    )
