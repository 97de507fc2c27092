"""Which calls run: judged by rules, held for a person, bound to what was shown, then invoked."""
