"""Calls of wires on which a call may have no id."""

NO_ID = "no_id"
"""In the extras of a call, or of a result: it came without an id, so it gets none when it is given back."""
