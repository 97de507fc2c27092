import pytest

from callgate.core.tool import Annotations
from callgate.ui.theme.icons import ICONS
from callgate.ui.tools.about_page import annotation_words


@pytest.mark.parametrize(
    ("annotations", "words"),
    [
        (Annotations(), ["Not declared whether it changes anything"]),
        (Annotations(read_only=True, idempotent=True), ["Declared read-only"]),
        (Annotations(read_only=False), ["Declared to change things"]),
        (Annotations(destructive=False), ["Declared not destructive"]),
        (
            Annotations(read_only=False, destructive=True, idempotent=True, open_world=True),
            [
                "Declared destructive",
                "Declared to reach other systems",
                "Declared safe to repeat",
            ],
        ),
        (Annotations(read_only=True, open_world=False), ["Declared read-only", "Declared to stay on this machine"]),
    ],
)
def test_hints_are_told_as_claims_in_plain_words(annotations: Annotations, words: list[str]) -> None:
    hints = annotation_words(annotations)
    assert [hint.text for hint in hints] == words
    assert all(hint.icon in ICONS for hint in hints)
