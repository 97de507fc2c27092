import json

from callgate.core.secrets.fingerprint import fingerprint
from callgate.core.secrets.streams import SPREAD, replace_spread

KEY = b"sk-ant-api03-abcdefgh12345678"
PARTS = ("my key ", "sk-an", "t-api03-abc", "defgh12345678", " is safe")


def stream(*texts: str, index: int = 0) -> bytes:
    events = [{"type": "delta", "index": index, "delta": {"text": text}} for text in texts]
    return b"".join(b"event: d\ndata: " + json.dumps(event).encode() + b"\n\n" for event in events)


def text_of(data: bytes) -> str:
    lines = [json.loads(line[6:]) for line in data.split(b"\n") if line.startswith(b"data: {")]
    return "".join(line["delta"]["text"] for line in lines)


def test_a_key_that_is_spread_over_events_is_cut_out_of_each() -> None:
    data = stream(*PARTS) + b"data: [DONE]\n\n"
    clean = replace_spread(data, fingerprint)
    assert text_of(clean).startswith("my key «key sk-…5678 · sha256:") and text_of(clean).endswith("» is safe")
    assert clean.count(b"event: d") == len(PARTS) and clean.endswith(b"data: [DONE]\n\n")
    assert b"abc" not in clean


def test_texts_of_other_places_lie_between_and_stay() -> None:
    mixed = b"".join(stream(one) + stream(f"word{number} ", index=1) for number, one in enumerate(PARTS))
    clean = replace_spread(mixed, fingerprint)
    assert b"abc" not in clean and all(f"word{number}".encode() in clean for number in range(len(PARTS)))


def test_what_comes_after_the_stored_part_is_cut_by_what_is_known() -> None:
    first, second = stream(*PARTS[:2]), stream(*PARTS[2:])
    assert b"sk-an" not in replace_spread(first, fingerprint, [KEY])
    assert text_of(replace_spread(second, fingerprint, [KEY], before=first)) == " is safe"


def test_a_stream_that_can_not_be_read_is_left_out_if_a_secret_is_spread_over_it() -> None:
    assert replace_spread(b"data: {broken\n\n", fingerprint, [KEY]) == SPREAD
    assert replace_spread(b"data: {broken\n\n", fingerprint) == b"data: {broken\n\n"


def test_a_key_that_is_spread_over_lines_of_json_is_found() -> None:
    key = KEY.decode()
    pieces = [key[:7], key[7:20], key[20:]]
    lines = [{"model": "m", "message": {"role": "assistant", "content": piece}, "done": False} for piece in pieces]
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    clean = replace_spread(data, fingerprint)
    assert all(json.loads(line)["model"] == "m" for line in clean.splitlines())
    assert key not in "".join(json.loads(line)["message"]["content"] for line in clean.splitlines())
