"""Conversations as a person reads them: the list, the column of blocks, and the place to write."""
