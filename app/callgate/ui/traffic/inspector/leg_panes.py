"""The panes of an exchange: client, neutral and upstream, for the request and for the response. Shows captures."""

import asyncio
from typing import Final, Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from callgate.core.events import Leg
from callgate.engine.console.wire_service import LegBytes, WireService
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.body import Body
from callgate.ui.traffic.inspector.captured import Capture, Captures
from callgate.ui.traffic.inspector.comparable import Comparable, Key, comparables, neutral_key, raw_key
from callgate.ui.traffic.inspector.neutral_pane import NeutralPane
from callgate.ui.traffic.inspector.wire_pane import Mode, WirePane
from callgate.ui.traffic.row import TrafficRow

SIDE_BY_SIDE: Final = 780
"""Width from which three panes stand beside each other."""
STACKED: Final = 480
"""Height from which three panes can stand one above the other; with less, one at a time is readable."""

Which = Literal["all", "client", "neutral", "upstream"]
WHICH: Final[tuple[tuple[str, Which], ...]] = (
    ("All panes", "all"),
    ("Client", "client"),
    ("Neutral", "neutral"),
    ("Upstream", "upstream"),
)


class LegPanes:
    """Six panes in two splitters; no widget itself, the splitters are."""

    def __init__(self, service: WireService, bridge: Bridge, theme: Theme) -> None:
        turn = asyncio.Lock()
        self._service = service
        self._row: TrafficRow | None = None
        self._held: Captures = {}
        self._number = 1
        self._mode: Mode = "structure"
        self._is_roomy = True
        self._chosen: dict[bool, Which] = {True: "all", False: "client"}
        """Which panes are wanted where there is room, and where there is little."""
        self._sizes: list[int] = []
        """How wide the person has made panes that stand side by side; empty = alike."""
        self.client_request = WirePane(bridge, theme, "Client request", turn)
        self.neutral_request = NeutralPane(service, bridge, theme, "Neutral request", turn)
        self.upstream_request = WirePane(bridge, theme, "Upstream request", turn)
        self.upstream_response = WirePane(bridge, theme, "Upstream response", turn)
        self.neutral_response = NeutralPane(service, bridge, theme, "Neutral response", turn)
        self.client_response = WirePane(bridge, theme, "Client response", turn)
        self.request = _split(self.client_request, self.neutral_request, self.upstream_request)
        self.response = _split(self.upstream_response, self.neutral_response, self.client_response)

    @property
    def wires(self) -> tuple[WirePane, ...]:
        return self.client_request, self.upstream_request, self.upstream_response, self.client_response

    @property
    def splits(self) -> tuple[QSplitter, QSplitter]:
        return self.request, self.response

    @property
    def which(self) -> Which:
        return self._chosen[self._is_roomy]

    @property
    def choices(self) -> dict[bool, Which]:
        """By whether there is room."""
        return dict(self._chosen)

    @property
    def sizes(self) -> list[int]:
        return self._sizes

    def remember(self, choices: dict[bool, Which], sizes: list[int]) -> None:
        self._chosen.update(choices)
        self._sizes = sizes
        for split in self.splits:
            split.setProperty("idle", None)
        self._choose()

    def fit(self, width: int, height: int) -> None:
        """Side by side, else one above the other, else one at a time."""
        is_wide = width >= SIDE_BY_SIDE
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        is_roomy = is_wide or height >= STACKED
        if self.request.orientation() == wanted and is_roomy == self._is_roomy:
            return
        self._is_roomy = is_roomy
        for split in self.splits:
            split.setOrientation(wanted)
            split.setProperty("idle", None)
        self._choose()

    def set_mode(self, mode: Mode) -> None:
        self._mode = mode
        for pane in self._every:
            pane.set_mode(mode)
        self._choose()

    def show_only(self, which: Which) -> None:
        """One kind of pane, or all; where there is little room, and where there is much, each has its own answer."""
        self._chosen[self._is_roomy] = which
        self._choose()

    def keep_sizes(self, split: QSplitter) -> None:
        """The person has moved a border: both directions follow."""
        if split.orientation() == Qt.Orientation.Horizontal and not any(split.property("idle") or ()):
            self._sizes = split.sizes()
            for other in self.splits:
                other.setProperty("idle", None)

    @property
    def _every(self) -> tuple[WirePane | NeutralPane, ...]:
        return (*self.wires, self.neutral_request, self.neutral_response)

    def _choose(self) -> None:
        # events and headers belong to a wire, not to what it says
        spoken = self._mode in ("structure", "raw")
        which = "all" if self.which == "neutral" and not spoken else self.which
        for pane in self._every:
            if isinstance(pane, NeutralPane):
                pane.setVisible(spoken and which in ("all", "neutral"))
            else:
                pane.setVisible(which in ("all", "upstream" if pane.is_upstream else "client"))
        self.share_room()

    def show(self, row: TrafficRow, held: Captures, number: int) -> None:
        self._row, self._held, self._number = row, held, number
        keys: tuple[Key, ...] = (
            ("client_request", 0),
            ("upstream_request", number),
            ("upstream_response", number),
            ("client_response", 0),
        )
        found = [held.get(key) for key in keys]
        sent = [capture.at if capture is not None else 0.0 for capture in (found[0], found[1], found[1], found[0])]
        same = found[0] is not None and found[1] is not None and found[0].data == found[1].data
        echoed = found[2] is not None and found[3] is not None and found[2].data == found[3].data
        words = ("", "client's" if same else "", "", "provider's" if echoed else "")
        self.upstream_request.set_address(row.url_of(number))
        for pane, capture, since, same_as in zip(self.wires, found, sent, words, strict=True):
            pane.show_capture(capture, since, same_as)
        # the person's own messages never were bytes of a client: what went out tells as much
        self.neutral_request.show_leg(self._spoken_if(found[0] or found[1]))
        self.neutral_response.show_leg(self._spoken_if(found[2] or found[3]))
        self.share_room()

    def sides(self) -> tuple[Comparable, ...]:
        """All that can be compared with each other."""
        read: dict[Key, Body] = {pane.capture.key: pane.body for pane in self.wires if pane.capture is not None}
        return comparables(self._held, self._spoken, self._service.neutral, read)

    def usual_sides(self) -> tuple[str, str]:
        """What the translation changed is best seen in one form; the same wire, in its own bytes."""
        row = self._row
        first: Key = ("client_request", 0)
        second: Key = ("upstream_request", self._number)
        translated = row is not None and row.upstream_wire is not None and row.wire != row.upstream_wire
        if translated and not self.neutral_request.read.problem:
            return neutral_key(first), neutral_key(second)
        return raw_key(first), raw_key(second)

    def share_room(self) -> None:
        """A pane that has nothing of its own to show leaves its room to the others."""
        for split in self.splits:
            panes = [split.widget(place) for place in range(split.count())]
            idle = [isinstance(pane, WirePane | NeutralPane) and pane.is_idle for pane in panes]
            if idle != split.property("idle"):
                split.setProperty("idle", idle)
                own = self._sizes if split.orientation() == Qt.Orientation.Horizontal and not any(idle) else []
                alike = [1 if is_idle and not all(idle) else 1000 for is_idle in idle]
                split.setSizes(own if len(own) == len(idle) and all(own) else alike)

    def _spoken_if(self, capture: Capture | None) -> LegBytes | None:
        return None if capture is None else self._spoken(capture)

    def _spoken(self, capture: Capture) -> LegBytes:
        row = self._row
        assert row is not None, "what is shown has a row"
        is_client: bool = capture.leg in _CLIENT
        wire = row.wire if is_client else row.upstream_wire or row.wire
        return LegBytes(capture.leg, wire, capture.data, row.asked_model if is_client else row.model, row.stream)


_CLIENT: Final[tuple[Leg, ...]] = ("client_request", "client_response")


def _split(*panes: WirePane | NeutralPane) -> QSplitter:
    split = QSplitter(Qt.Orientation.Vertical)
    split.setChildrenCollapsible(False)
    for pane in panes:
        split.addWidget(pane)
    return split
