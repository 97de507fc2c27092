"""The statistics page: how much was called, waited for, spent and lost, over time."""
