"""Builds the program from its parts: without a window in `runtime.py`, with one in `window_app.py`."""
