"""A command line as rows: one command a row, with what should be looked at twice under it. Pure."""

from collections.abc import Iterator

from callgate.core.calls.command_risk import CommandOutline, outline
from callgate.core.calls.preview import CommandPreview
from callgate.ui.call_preview.rows import Row
from callgate.ui.text.hidden_characters import reveal


class CommandRows:
    """The rows of one preview, and what its heading says."""

    def __init__(self, preview: CommandPreview) -> None:
        self._outline: CommandOutline = outline(preview.command, preview.folder)

    @property
    def heading(self) -> str:
        count = len(self._outline.steps)
        return "Runs 1 command" if count == 1 else f"Runs {count} commands"

    @property
    def is_telling(self) -> bool:
        """Whether it says more than the line itself: one plain command does not."""
        return len(self._outline.steps) != 1 or bool(self._outline.steps[0].risks) or bool(self._outline.concerns)

    @property
    def counts(self) -> str:
        """How many of them need a second look."""
        grave = sum(any(risk.grave for risk in step.risks) for step in self._outline.steps)
        return f"{grave} to look at twice" if grave else ""

    def rows(self) -> Iterator[Row]:
        width = len(str(len(self._outline.steps)))
        for number, step in enumerate(self._outline.steps, 1):
            text = reveal(" ".join(step.text.splitlines()))
            program = text.split(" ", 1)[0]
            yield Row(text, f"{number:>{width}}", strong=((0, len(program)),))
            for grave in (True, False):
                words = [risk.words for risk in step.risks if risk.grave is grave]
                if words:
                    yield Row(reveal(_sentence("; ".join(words))), "▲" if grave else "·", "grave" if grave else "mind")
        for concern in self._outline.concerns:
            yield Row(reveal(f"In the line as a whole: {concern}"), "▲", "grave")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
