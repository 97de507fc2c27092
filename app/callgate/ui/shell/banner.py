"""Something broke that no exchange owns: said at the top of the window until it is dismissed. Never a dialog."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from callgate.core.events import Event, FaultRaised, JournalChanged
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import XS, M, S, Theme
from callgate.ui.widgets.copy_button import CopyButton

_KEPT = 50
"""A broken part can fail a thousand times; the log has them all."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A way to where a kind of fault can be mended."""

    prefix: str
    """How the place of such a fault begins."""
    words: str
    go: Callable[[str], None]
    """Given what follows the prefix."""


class FaultBanner(QFrame):
    """Shows the newest fault and how many more there are."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("faultBanner")
        self.setAccessibleName("Fault")
        self.setProperty("banner", "true")
        self._theme = theme
        self._faults: list[FaultRaised] = []
        self._journal: FaultRaised | None = None
        """What is said of the journal; it cannot be dismissed while that fails."""
        self._journal_fails = False
        self._leads: list[Lead] = []
        self._icon = QLabel()
        self._text = plain_label(selectable=True, wrap=True)
        self._more = plain_label(tone="hint")
        self._copy = CopyButton(theme, self.details, "the details")
        self._lead = QPushButton()
        self._lead.setObjectName("mendFault")
        self._dismiss_all = QPushButton("Dismiss all")
        self._dismiss_all.setObjectName("dismissAllFaults")
        self._dismiss_all.setProperty("kind", "quiet")
        self._close = QToolButton()
        self._close.setObjectName("dismissFault")
        self._close.setIconSize(theme.icon_size)
        self._close.setToolTip("Dismiss")
        self._close.setAccessibleName("Dismiss")
        row = QHBoxLayout(self)
        row.setContentsMargins(M, XS, S, XS)
        row.setSpacing(S)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        for widget in (self._lead, self._more, self._dismiss_all, self._copy, self._close):
            row.addWidget(widget)
        self._lead.clicked.connect(self._follow)
        self._close.clicked.connect(self.dismiss)
        self._dismiss_all.clicked.connect(self.dismiss_all)
        theme.changed.connect(self._show)
        self._show()

    @property
    def faults(self) -> Sequence[FaultRaised]:
        """Not dismissed yet, oldest first."""
        return self._faults

    def add_lead(self, lead: Lead) -> None:
        self._leads.append(lead)
        self._show()

    def apply(self, batch: tuple[Event, ...]) -> None:
        fresh = [event for event in batch if isinstance(event, FaultRaised)]
        journal = [event for event in batch if isinstance(event, JournalChanged)]
        if fresh:
            self._faults = [*self._faults, *fresh][-_KEPT:]
        if journal:
            self._tell_journal(journal[-1])
        if fresh or journal:
            self._show()

    def _tell_journal(self, event: JournalChanged) -> None:
        """The one line on it is replaced, so that what works again is not said to fail further down."""
        self._faults = [fault for fault in self._faults if fault is not self._journal]
        self._journal, self._journal_fails = FaultRaised("journal", event.words, event.at), event.is_failing
        self._faults.append(self._journal)

    def _stays(self, fault: FaultRaised) -> bool:
        return fault is self._journal and self._journal_fails

    def details(self) -> str:
        """All that is known of the fault on show, for a report."""
        if not self._faults:
            return ""
        fault = self._faults[-1]
        at = datetime.fromtimestamp(fault.at).astimezone().isoformat(timespec="seconds")
        return "\n".join(part for part in (f"{at} {fault.where}: {fault.message}", fault.detail) if part)

    def dismiss(self) -> None:
        """The one on show is seen; the one before it comes up."""
        if self._faults and not self._stays(self._faults[-1]):
            del self._faults[-1]
        self._show()

    def dismiss_all(self) -> None:
        self._faults = [fault for fault in self._faults if self._stays(fault)]
        self._show()

    def _lead_of(self, fault: FaultRaised) -> Lead | None:
        return next((lead for lead in self._leads if fault.where.startswith(lead.prefix)), None)

    def _follow(self) -> None:
        fault = self._faults[-1]
        lead = self._lead_of(fault)
        if lead is not None:
            lead.go(fault.where.removeprefix(lead.prefix))

    def _set_ground(self, banner: str) -> None:
        if self.property("banner") != banner:
            self.setProperty("banner", banner)
            self.style().polish(self)

    def _show(self) -> None:
        self._close.setIcon(self._theme.icon("close"))
        self.setVisible(bool(self._faults))
        if not self._faults:
            return
        fault, more = self._faults[-1], len(self._faults) - 1
        works_again = fault is self._journal and not self._journal_fails
        self._set_ground("good" if works_again else "true")
        icon = self._theme.icon("done", "completed") if works_again else self._theme.icon("error", "denied")
        self._icon.setPixmap(icon.pixmap(self._theme.icon_size))
        self._close.setVisible(not self._stays(fault))
        self._text.setText(reveal(fault.message if fault is self._journal else f"{fault.where}: {fault.message}"))
        set_plain_tip(self._text, fault.detail)
        lead = self._lead_of(fault)
        self._lead.setText(lead.words if lead is not None else "")
        self._lead.setVisible(lead is not None)
        self._more.setText(f"and {more} more")
        self._more.setVisible(more > 0)
        self._dismiss_all.setVisible(more > 0)
