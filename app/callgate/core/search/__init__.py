"""Searching conversations: the query, what can be found, and the words around a hit."""
