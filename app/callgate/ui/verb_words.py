"""What stands on the buttons of a decision, and the keys beside it. Pure."""

from callgate.ui.verb_keys import CONFIRM, DENY, REFUSE, Keys


def approve_words(*, review: bool, hold: bool, edited: bool, seen: bool) -> tuple[str, Keys]:
    """`hold`: it wants a long press; `seen`: all of the call has been on the screen."""
    if hold:
        return ("Hold to approve edited" if edited else "Hold to approve"), ()
    if edited:
        return ("Accept edited" if review else "Approve edited"), CONFIRM
    if not seen:
        return "Show the rest", CONFIRM
    return ("Accept" if review else "Approve"), CONFIRM


def deny_words(*, review: bool, asked: bool) -> tuple[str, Keys]:
    """`asked`: the reason is being written, so the next press denies."""
    word = "Withhold" if review else "Deny"
    return (word, DENY) if asked else (f"{word}…", REFUSE)
