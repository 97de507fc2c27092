"""What a short run leaves out, and what it must not."""

from itertools import combinations
from pathlib import Path

import orjson
import pytest
from tests import depth
from tests.coverage_by_folder import main

AXES = (("a", "b", "c", "d"), ("x", "y", "z"), (False, True))


def test_a_short_run_has_each_value_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth, "FULL", False)
    chosen = depth.pairwise(*AXES)
    for (first, some), (second, others) in combinations(enumerate(AXES), 2):
        assert {(row[first], row[second]) for row in chosen} == {(one, other) for one in some for other in others}
    assert len(chosen) == len(set(chosen)) < 16


def test_a_full_run_has_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth, "FULL", True)
    assert len(set(depth.pairwise(*AXES))) == 24
    assert depth.examples(300) == 300


def test_a_folder_that_was_run_too_little_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def summary(run: int) -> dict[str, object]:
        return {"summary": {"covered_lines": run, "num_statements": 100}}

    report = tmp_path / "report.json"
    files = {"app/callgate/core/a.py": summary(100), "app/callgate/core/shell/deeper/b.py": summary(85)}
    report.write_bytes(orjson.dumps({"files": files}))
    assert main(str(report)) == 0
    report.write_bytes(orjson.dumps({"files": files | {"app/callgate/ui/c.py": summary(84)}}))
    assert main(str(report)) == 1
    assert "callgate/ui" in capsys.readouterr().out
