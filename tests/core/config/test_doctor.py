from callgate.core.config.doctor import Diagnosis, DoctorStep


def test_it_works_where_every_step_was_reached_and_none_failed() -> None:
    fine = (DoctorStep("a", "A", "ok"), DoctorStep("b", "B", "warning"))
    assert Diagnosis(fine).works
    assert not Diagnosis().works
    broken = (*fine, DoctorStep("c", "C", "failed", "why"), DoctorStep("d", "D", "skipped"))
    assert not Diagnosis(broken).works
    assert Diagnosis(broken).failure == broken[2]
