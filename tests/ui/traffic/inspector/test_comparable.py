"""Whatever was captured can be compared, as it is and as it reads."""

from tests.fakes.traffic import translated_wire

from callgate.engine.console.wire_service import LegBytes, Neutral
from callgate.ui.traffic.inspector.body import Body
from callgate.ui.traffic.inspector.captured import captures
from callgate.ui.traffic.inspector.comparable import as_body, comparables, neutral_key, of_key, raw_key

HELD = captures(translated_wire())


def test_every_leg_is_there_twice_and_known_bodies_are_not_read_again() -> None:
    known = Body(b"known", True, {"known": True})
    sides = comparables(
        HELD,
        lambda capture: LegBytes(capture.leg, "anthropic", capture.data),
        lambda sent: Neutral({"read": sent.leg}),
        {("client_request", 0): known},
    )
    assert len(sides) == 2 * len(HELD)
    assert sides[of_key(sides, raw_key(("client_request", 0)))].read() is known
    assert sides[of_key(sides, raw_key(("upstream_request", 1)))].read().is_structured
    assert sides[of_key(sides, neutral_key(("upstream_request", 1)))].read().value == {"read": "upstream_request"}
    assert of_key(sides, "nothing") == -1


def test_what_has_no_neutral_form_has_no_structure() -> None:
    assert as_body(Neutral(problem="why")) == Body(problem="why")
