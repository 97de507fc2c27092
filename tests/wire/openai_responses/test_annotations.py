"""What the words of an output text rest on."""

from callgate.core.messages import Citation
from callgate.wire.openai_responses.annotations import read_annotations, write_annotation

PAGE = {"type": "url_citation", "start_index": 3, "end_index": 5, "title": "A", "url": "https://a.example"}
FILE = {"type": "file_citation", "file_id": "file_1", "filename": "a.txt", "index": 4}


def test_pages_have_a_place_and_files_a_name() -> None:
    page, file = read_annotations([PAGE, FILE, "x"])
    assert (page.url, page.title, page.start, page.end) == ("https://a.example", "A", 3, 5)
    assert (file.url, file.title, file.start) == ("", "a.txt", None)


def test_what_came_over_this_wire_goes_back_word_for_word() -> None:
    assert [write_annotation(one, 9) for one in read_annotations([PAGE, FILE])] == [PAGE, FILE]


def test_a_place_that_was_moved_is_told_as_it_is_now() -> None:
    (page,) = read_annotations([PAGE])
    assert write_annotation(page.moved(2), 9) == {**PAGE, "start_index": 5, "end_index": 7}


def test_a_page_of_another_wire_without_a_place_is_of_all_the_text() -> None:
    written = write_annotation(Citation("https://a.example", "A", "quote"), 9)
    assert written == {**PAGE, "start_index": 0, "end_index": 9}


def test_a_document_of_another_wire_has_no_word_here() -> None:
    assert write_annotation(Citation(title="doc"), 9) is None
    assert write_annotation(Citation(title="doc", start=1, end=4), 9) is None
