"""An action that a panel offers wherever actions are looked up, beside those of the menus.

The palette finds offers by their class, so that no panel has to be handed to it, and none has to know of it.
"""

from collections.abc import Callable
from typing import Literal

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

OfferKind = Literal["action", "setting"]


class PaletteEntry(QAction):
    def __init__(
        self,
        owner: QWidget,
        path: str,
        text: str,
        run: Callable[[], object],
        *,
        keys: str = "",
        hint: str = "",
        when: Callable[[], bool] | None = None,
        words: Callable[[], str] | None = None,
        kind: OfferKind = "action",
    ) -> None:
        """`keys` work in the whole window; `hint`: keys that the panel hears itself. `when`: asked before it is shown.

        `words`: what it is called now, where that depends on what it would do.
        """
        super().__init__(text, owner)
        self.path, self.hint = path, hint or keys
        self.kind: OfferKind = kind
        self._when, self._words = when, words
        if keys:
            self.setShortcut(QKeySequence(keys))
        self.triggered.connect(lambda: run() if self.is_there else None)
        owner.addAction(self)

    @property
    def is_there(self) -> bool:
        """Whether it can be done now."""
        return self._when is None or self._when()

    @property
    def title(self) -> str:
        return self.text() if self._words is None else self._words()
