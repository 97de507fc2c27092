"""Codex beyond plain functions: a tool that takes free text under a grammar, and a model that only writes programs."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.agents.codex import Codex
from tests.agents.errand import Call
from tests.agents.outcome_table import ERRAND
from tests.agents.outing import Outing, outing
from tests.fakes.translating import WIRES

CODE_MODEL = "gpt-6-sol"
"""Codex knows it, and gives it one tool that runs JavaScript, in a namespace, as an item of the input."""
PATCH_MODEL = "gpt-5.5"
PATCH = """*** Begin Patch
*** Add File: über.txt
+„Grüße“ aus dem Patch: {word}
*** End Patch
"""
pytestmark = [pytest.mark.agents, pytest.mark.timeout(120)]
each_provider = pytest.mark.parametrize("provider", WIRES)


@each_provider
def test_a_patch_is_applied(tmp_path: Path, record_property: Callable[[str, object], None], provider: str) -> None:
    record_property(ERRAND, ["codex", "apply_patch", provider])
    agent = Codex(PATCH_MODEL)
    with outing(tmp_path) as errands:
        place = errands.place(provider)
        patch = PATCH.format(word=place.words[0])
        errand, ran = errands.send(agent, provider, place, [[Call("apply_patch", text=patch)]])
        _check(errands, provider)
        assert (place.workspace / "über.txt").read_text("utf-8") == f"„Grüße“ aus dem Patch: {place.words[0]}\n"
        assert errand.final in ran.output
        assert not errands.unexpected_warnings(agent)


@each_provider
def test_a_program_of_a_code_model_is_run(
    tmp_path: Path, record_property: Callable[[str, object], None], provider: str
) -> None:
    record_property(ERRAND, ["codex", "code mode", provider])
    agent = Codex(CODE_MODEL)
    with outing(tmp_path) as errands:
        place = errands.place(provider)
        program = f'const ran = await tools.exec_command({{cmd: "cat {place.files[0]}"}});\ntext(ran.output);\n'
        errand, ran = errands.send(agent, provider, place, [[Call("exec", text=program, namespace="functions")]])
        told = _check(errands, provider)
        assert place.words[0] in told
        assert errand.final in ran.output
        assert not errands.unexpected_warnings(agent)


def _check(errands: Outing, provider: str) -> str:
    assert not errands.refusals(), errands.refusals()[0]
    service = errands.services[provider]
    assert len(service.played) == 2
    return str(service.told(service.played[-1]).results)
