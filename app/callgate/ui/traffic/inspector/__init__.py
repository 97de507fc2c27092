"""The wire inspector: the bytes and the meaning of one exchange."""
