"""What a call would do, for the one who decides.

    preview       the widget: `CallPreview`
    row_text      rows on the screen
    rows          the values that it shows
    diff_rows, command_rows, url_rows    each kind of preview as rows

`CallPreview(theme).show_previews(previews_of(invocation, tool))` is all that a card needs.
"""

from callgate.ui.call_preview.preview import CallPreview

__all__ = ["CallPreview"]
