from callgate.core.events import LONGEST_FRAME, FrameCaptured
from callgate.engine.sources.source_log import MOST_FRAME_CHARS, MOST_FRAMES, MOST_LINES, SourceLog


def frame(text: str, size: int) -> FrameCaptured:
    return FrameCaptured("frame_1", "srv", "in", "notification", "ping", "", size, text, 1.0)


def test_only_the_last_is_kept_and_numbers_go_on() -> None:
    news: list[int] = []
    voice = SourceLog(lambda: news.append(1))
    for number in range(MOST_LINES + 10):
        voice.add_line(str(number))
    lines = voice.lines(-1)
    assert (len(lines), lines[-1].text) == (MOST_LINES, str(MOST_LINES + 9))
    assert voice.lines(lines[-1].number) == ()
    voice.clear()
    voice.add_line("after")
    assert [line.text for line in voice.lines(lines[-1].number)] == ["after"]
    assert len(news) == MOST_LINES + 12


def test_frames_are_bound_by_number_and_by_size() -> None:
    voice = SourceLog(lambda: None)
    for _ in range(MOST_FRAMES + 5):
        voice.add_frame(frame("{}", 2))
    assert len(voice.frames(-1)) == MOST_FRAMES
    for _ in range(60):
        voice.add_frame(frame("x" * LONGEST_FRAME, LONGEST_FRAME + 1000))
    frames = voice.frames(-1)
    assert frames[-1].text.endswith("… (1,000 more bytes)")
    assert sum(len(frame.text) for frame in frames) <= MOST_FRAME_CHARS
