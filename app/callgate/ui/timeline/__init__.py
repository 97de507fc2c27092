"""The timeline pane: where the time of an exchange or of a conversation went."""
