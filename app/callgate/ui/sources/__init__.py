"""The page of sources: where tools come from, how each is doing, and new ones."""
