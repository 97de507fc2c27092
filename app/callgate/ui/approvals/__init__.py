"""Everything that waits for a person: the dialog that asks, the queue of all, and what keeps them in step."""
