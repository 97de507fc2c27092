"""The look of the window: colours, fonts, icons and the style sheet."""
