from callgate.core.config.doctor import Diagnosis, DoctorStep
from callgate.ui.sources.doctor_view import DoctorView
from callgate.ui.theme.theme import Theme

OK = DoctorStep("a", "First", "ok", "fine", seconds=0.2)
BAD = DoctorStep("b", "Second", "failed", "broke <i>", "mend it", 1.0)


def test_steps_grow_and_change_in_place(theme: Theme) -> None:
    view = DoctorView(theme)
    view.begin()
    view.show_step(DoctorStep("a", "First", "running"))
    view.show_step(OK)
    view.show_step(BAD)
    assert view.steps == (OK, BAD)
    view.end(Diagnosis((OK, BAD), ("said this",)))
    assert "Second" in view.verdict.text()
    assert view.stderr.toPlainText() == "said this"
    view.begin()
    assert view.steps == ()
    assert view.stderr.isHidden()
    view.show_step(OK)
    view.end(Diagnosis((OK,)))
    assert view.verdict.text() == "It works. Checked in 0.2 s."


def test_what_was_under_way_when_it_was_stopped_is_not_left_running(theme: Theme) -> None:
    view = DoctorView(theme)
    view.begin()
    view.show_step(DoctorStep("a", "First", "running"))
    view.stop("The check was stopped.")
    assert [step.state for step in view.steps] == ["skipped"]
