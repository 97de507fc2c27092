"""What a person decides in the terminal about one call, or about the result of one: the verbs, and what they ask."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from callgate.core.calls.invocation import GRANT_SCOPES, Decision, GrantScope, Invocation, shown_hash
from callgate.core.calls.tool_facts import tool_of
from callgate.core.errors import UserFault
from callgate.core.rules.narrow_rule import narrow_for
from callgate.engine.console.console import Console

ReadLine = Callable[[], Awaitable[str]]
Write = Callable[[str], None]

_CALL_VERBS = "[a]pprove  [e]dit  [d]eny  [r]eply for the tool  [s]kip  [l]ater"
_RESULT_VERBS = "[a]ccept  [e]dit  [w]ithhold  [l]ater"
_SCOPES: dict[str, GrantScope] = {scope: scope for scope in GRANT_SCOPES}
"""What may stand after “approve”."""
_LASTING = ", ".join(f"a {scope}" for scope in _SCOPES)
_YES = frozenset({"y", "yes"})
_LATER = frozenset({"l", "later", "not now"})


class TerminalDecisions:
    """Asks until something is decided; what cannot be taken is said, and asked again."""

    def __init__(self, console: Console, read_line: ReadLine, write: Write, harmless: Callable[[str], str]) -> None:
        self._console = console
        self._read_line = read_line
        self._write = write
        self._harmless = harmless

    async def ask(self, invocation: Invocation) -> bool:
        """False: not now."""
        reviewing = invocation.state == "WaitingForPostApproval"
        while True:
            typed = await self._line(f"{_RESULT_VERBS if reviewing else _CALL_VERBS}  > ")
            if typed.lower() in _LATER:
                return False
            decision = await (self._of_result(typed) if reviewing else self._of_call(invocation, typed))
            if decision is None:
                continue
            try:
                taken = self._console.decide(invocation.id, replace(decision, shown=shown_hash(invocation)), "terminal")
            except UserFault as refused:
                self._write(self._harmless(str(refused)))
                continue
            changed = not taken and any(other.id == invocation.id for other in self._console.waiting())
            late = "has changed since it was shown; nothing was decided" if changed else "was decided already"
            self._write(f"{self._harmless(invocation.tool)}: {decision.verb if taken else late}")
            return True

    async def _line(self, prompt: str) -> str:
        self._write(prompt)
        return (await self._read_line()).strip()

    async def _of_result(self, typed: str) -> Decision | None:
        verb, _, rest = typed.partition(" ")
        match verb.lower():
            case "a" | "accept" | "approve" | "y" | "yes":
                return Decision("accept")
            case "e" | "edit" | "r" | "reply":
                return Decision("edit_result", result=rest or await self._line("What the model gets instead > "))
            case "w" | "withhold" | "d" | "deny" | "n" | "no":
                return Decision("withhold", reason=rest or await self._line("Reason, told to the model > "))
            case _:
                self._write("Please answer with one of: " + _RESULT_VERBS)
                return None

    async def _of_call(self, invocation: Invocation, typed: str) -> Decision | None:
        verb, _, rest = typed.partition(" ")
        match verb.lower():
            case "a" | "approve" | "y" | "yes":
                return await self._approval(invocation, rest.strip().lower()) if await self._meant(invocation) else None
            case "e" | "edit":
                if not await self._meant(invocation):
                    return None
                edited = rest or await self._line("New arguments as one line of JSON > ")
                return Decision("approve", arguments=edited)
            case "d" | "deny" | "n" | "no":
                reason = rest or await self._line("Reason, told to the model (may be empty) > ")
                return Decision("deny", reason=reason)
            case "r" | "reply" | "answer":
                result = rest or await self._line("Result, given to the model in place of the tool's > ")
                return Decision("answer", result=result)
            case "s" | "skip":
                return Decision("skip")
            case _:
                self._write("Please answer with one of: " + _CALL_VERBS)
                return None

    async def _meant(self, invocation: Invocation) -> bool:
        """A tool that is not what was allowed is not approved by a single key."""
        if invocation.verdict is None or not invocation.verdict.suspends:
            return True
        name = self._harmless(invocation.tool)
        typed = await self._line(f"It is not defined as it was when you allowed it. Type {name} to approve it > ")
        if typed != name:
            self._write("That is not its name; nothing was decided.")
        return typed == name

    # ---- approving for longer --------------------------------------------------------------------------------------

    async def _approval(self, invocation: Invocation, until: str) -> Decision | None:
        if until in ("", "once"):
            return Decision("approve")
        scope = _SCOPES.get(until)
        if scope is None:
            self._write(f"For how long? a = once; or: {_LASTING}")
            return None
        if invocation.verdict is not None and not invocation.verdict.grantable:
            self._write(self._harmless(f"It can only be approved once: {invocation.verdict.reason}"))
            return None
        return await self._lasting(invocation, scope)

    async def _lasting(self, invocation: Invocation, scope: GrantScope) -> Decision | None:
        """Shows the very rule that is saved before it is: the narrow one, or one for the whole tool."""
        tool = tool_of(invocation, self._console.tools())
        narrowing = narrow_for(invocation.effective_arguments, tool, invocation.tool)
        children = True
        if scope not in ("turn", "conversation") and self._console.has_sub_agents(invocation):
            children = (await self._line("Also for its sub-agents? [y]es  [n]o  > ")).lower() in _YES
        narrow = Decision("approve", scope=scope, when=narrowing.when, sub_agents=children)
        whole = replace(narrow, when="")
        choices = "[y]es  [n]o" if not narrowing.when else "[y]es  [w]hole tool  [n]o"
        self._write(self._harmless(f"This rule is saved: {self._console.rule_preview(invocation.id, narrow)}"))
        if narrowing.unspeakable:
            self._write(self._harmless(f"It holds whatever these are: {', '.join(narrowing.unspeakable)}"))
        answer = (await self._line(f"{choices}  > ")).lower()
        if answer in _YES:
            return narrow
        if answer in ("w", "whole", "whole tool") and narrowing.when:
            rule = self._console.rule_preview(invocation.id, whole)
            sure = await self._line(self._harmless(f"This rule is saved: {rule}\n[y]es  [n]o  > "))
            return whole if sure.lower() in _YES else None
        return None
