"""The list of conversations: found, chosen, named, pinned and tagged."""
