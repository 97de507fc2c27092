"""One codec for each wire that a client or an endpoint may name."""

import pytest

from callgate.core.request import WireName
from callgate.wire.registry import CODECS, codec_for


@pytest.mark.parametrize("wire", list(CODECS))
def test_a_codec_answers_to_the_name_of_its_wire(wire: WireName) -> None:
    assert codec_for(wire).wire == wire
