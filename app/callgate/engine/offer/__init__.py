"""Which tools a model is offered, which the agents bring, and what they cost."""
