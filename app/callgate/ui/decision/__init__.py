"""Deciding one waiting call: its arguments, the verbs, and what a decision saves."""
