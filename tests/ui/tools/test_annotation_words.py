import pytest

from callgate.core.tool import Annotations
from callgate.ui.icons import ICONS
from callgate.ui.tools.annotation_words import annotation_words


@pytest.mark.parametrize(
    ("annotations", "words"),
    [
        (Annotations(), ["Does not say whether it changes anything"]),
        (Annotations(read_only=True, idempotent=True), ["Says it only reads"]),
        (Annotations(read_only=False), ["Says it changes things"]),
        (Annotations(destructive=False), ["Says it changes things, but destroys nothing"]),
        (
            Annotations(read_only=False, destructive=True, idempotent=True, open_world=True),
            [
                "Says it may destroy or overwrite",
                "Reaches outside of this machine",
                "Running it twice is the same as once",
            ],
        ),
        (Annotations(read_only=True, open_world=False), ["Says it only reads", "Stays on this machine"]),
    ],
)
def test_hints_are_told_as_claims_in_plain_words(annotations: Annotations, words: list[str]) -> None:
    hints = annotation_words(annotations)
    assert [hint.text for hint in hints] == words
    assert all(hint.icon in ICONS for hint in hints)
