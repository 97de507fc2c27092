"""Widgets that have gone off screen and wait for another block: making one takes longer than filling it."""

from typing import Final

from callgate.ui.conversation.block_widget import BlockWidget

MOST: Final = 12
"""Kept of each kind."""


class SpareWidgets:
    def __init__(self) -> None:
        self._spare: dict[type[BlockWidget], list[BlockWidget]] = {}

    def take(self, kind: type[BlockWidget] | None) -> BlockWidget | None:
        spare = self._spare.get(kind) if kind is not None else None
        return spare.pop() if spare else None

    def give(self, widget: BlockWidget, *, hide: bool) -> None:
        """`hide`: False = it may be used again in a moment, and `hide_all` comes then."""
        widget.rest()
        spare = self._spare.setdefault(type(widget), [])
        if not widget.reusable or len(spare) >= MOST:
            widget.hide()
            widget.deleteLater()
            return
        if hide:
            widget.hide()
        spare.append(widget)

    def hide_all(self) -> None:
        for widget in (widget for spare in self._spare.values() for widget in spare):
            if not widget.isHidden():
                widget.hide()

    def clear(self) -> None:
        for spare in self._spare.values():
            while spare:
                spare.pop().deleteLater()
