from PySide6.QtCore import QSettings

from callgate.ui.tools.saved_filters import SavedFilters


def test_filters_are_found_again_by_the_next_run(settings: QSettings) -> None:
    filters = SavedFilters(settings)
    filters.save("writes", "readonly:no -tag:git")
    filters.save("Broken", "lint:error")
    settings.sync()
    again = SavedFilters(QSettings(settings.fileName(), QSettings.Format.IniFormat))
    assert list(again.all().items()) == [("Broken", "lint:error"), ("writes", "readonly:no -tag:git")]
    assert again.name_of("lint:error") == "Broken" and again.name_of("other") == ""


def test_a_filter_is_replaced_or_removed_by_its_name(settings: QSettings) -> None:
    filters = SavedFilters(settings)
    filters.save("a", "one")
    filters.save("a", "two")
    assert filters.all() == {"a": "two"}
    filters.remove("a")
    assert SavedFilters(settings).all() == {}


def test_without_settings_they_last_as_long_as_the_window() -> None:
    filters = SavedFilters(None)
    filters.save("a", "one")
    assert filters.all() == {"a": "one"}


def test_what_is_no_list_of_pairs_is_left_out(settings: QSettings) -> None:
    settings.setValue("tools/filters", ["only a name"])
    assert SavedFilters(settings).all() == {}
