"""One tool call: its states, what it would do, what it would reach, and how risky it is."""
