"""What things are: pure values and functions. No I/O, no asyncio, nothing of Qt."""
