"""Files of Callgate's own that were changed by other programs or by hand: a line in the window, and the review."""
