"""What stands in a tool's result for sound and film on wires whose providers refuse a request that holds them."""

from callgate.core.messages import File, ResultPart, Text


def without_recordings(part: ResultPart) -> ResultPart:
    """The part, or words in its place: a result must not cost the whole exchange."""
    if not isinstance(part, File) or not part.data or not part.media_type.startswith(("audio/", "video/")):
        return part
    kind = "sound" if part.media_type.startswith("audio/") else "film"
    kept = f": {part.name}" if part.name else ""
    return Text(f"[a {kind} ({part.media_type}), which this model cannot be given{kept}]")
