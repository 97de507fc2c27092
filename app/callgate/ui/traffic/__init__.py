"""Traffic: every exchange and round as rows, and the bytes behind each of them."""
