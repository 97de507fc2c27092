"""Configuration as values that can be compared: what a changed file would allow that it did not allow before."""
