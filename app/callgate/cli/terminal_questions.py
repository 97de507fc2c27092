"""Questions of tool sources, answered in the terminal: one line after another, each with what it stands for."""

import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import assert_never

import orjson

from callgate.core.errors import UserFault
from callgate.core.messages import Json
from callgate.core.question import (
    Answer,
    FormQuestion,
    InputQuestion,
    LinkQuestion,
    OpenQuestion,
    OriginQuestion,
    SampleQuestion,
)
from callgate.core.schema.form_check import FormChecker
from callgate.engine.console.console import Console

try:
    import termios
except ImportError:  # Windows: what is typed is seen there
    termios = None

ReadLine = Callable[[], Awaitable[str]]
Write = Callable[[str], None]
_DECLINE = frozenset({"d", "decline", "n", "no"})
_YES = frozenset({"y", "yes", "true", "1"})
_NO = frozenset({"n", "no", "false", "0"})


class TerminalQuestions:
    def __init__(self, console: Console, read_line: ReadLine, write: Write, harmless: Callable[[str], str]) -> None:
        self._console = console
        self._read_line = read_line
        self._write = write
        self._harmless = harmless

    async def ask(self, asked: OpenQuestion) -> None:
        answer = await self._answer(asked)
        taken = self._console.questions.answer(asked.id, answer, "terminal")
        self._write(f"{self._harmless(asked.question.source)}: {answer.action if taken else 'is over already'}")

    async def _answer(self, asked: OpenQuestion) -> Answer:
        question = asked.question
        match question:
            case FormQuestion():
                return await self._form(question)
            case LinkQuestion():
                return await self._link(question)
            case SampleQuestion():
                return await self._sample(asked.id, question)
            case InputQuestion():
                return await self._input(question)
            case OriginQuestion():
                return await self._origin(question)
            case _:
                assert_never(question)

    async def _line(self, prompt: str) -> str:
        self._write(self._harmless(prompt))
        return (await self._read_line()).strip()

    # ---- the kinds --------------------------------------------------------------------------------------------------

    async def _form(self, question: FormQuestion) -> Answer:
        self._write(self._harmless(f"\n{question.source} asks: {question.message}"))
        if (await self._line("[a]nswer  [d]ecline  > ")).lower() in _DECLINE:
            return Answer("decline")
        checker = FormChecker(question.schema)
        while True:
            values = await self._fields(question.schema)
            problems = checker.problems(values)
            if not problems:
                return Answer("accept", values)
            for problem in problems:
                where = ".".join(str(step) for step in problem.path)
                self._write(self._harmless(f"  {where}: {problem.message}" if where else f"  {problem.message}"))
            if (await self._line("[a]nswer again  [d]ecline  > ")).lower() in _DECLINE:
                return Answer("decline")

    async def _fields(self, schema: Mapping[str, Json]) -> dict[str, Json]:
        properties, required = schema.get("properties"), schema.get("required")
        values: dict[str, Json] = {}
        for name, field in properties.items() if isinstance(properties, dict) else ():
            about = field if isinstance(field, dict) else {}
            must = isinstance(required, list) and name in required
            typed = await self._line(f"  {_field_words(name, about, must)} > ")
            if typed:
                values[name] = _read_value(typed, about)
            elif "default" in about:
                values[name] = about["default"]
        return values

    async def _link(self, question: LinkQuestion) -> Answer:
        self._write(self._harmless(f"\n{question.source} wants you to visit an address: {question.message}"))
        self._write(self._harmless(f"  {question.url}"))
        while True:
            typed = (await self._line("Callgate does not open it. [y]es, I visit it  [d]ecline  > ")).lower()
            if typed in _YES:
                return Answer("accept")
            if typed in _DECLINE:
                return Answer("decline")

    async def _origin(self, question: OriginQuestion) -> Answer:
        self._write(self._harmless(f"\nWeb pages of {question.source} want to use Callgate and its providers."))
        while True:
            typed = (await self._line("[y]es, allow and remember  [d]ecline and remember  > ")).lower()
            if typed in _YES:
                return Answer("accept")
            if typed in _DECLINE:
                return Answer("decline")

    async def _sample(self, question_id: str, question: SampleQuestion) -> Answer:
        self._write(self._harmless(f"\n{question.source} wants a model's words:"))
        for message in question.messages:
            self._write(self._harmless(f"  {message.role}: {message.text}"))
        draft = Answer("decline")
        while True:
            send = "[s]end it  " if draft.action == "accept" else ""
            typed = await self._line(f"{send}[w]rite TEXT  [m]odel [NAME]  [d]ecline  > ")
            verb, _, rest = typed.partition(" ")
            match verb.lower():
                case "s" | "send" if draft.action == "accept":
                    return draft
                case "w" | "write":
                    return Answer("accept", text=rest or await self._line("Your words > "))
                case "m" | "model":
                    draft = await self._written(question_id, rest) or draft
                case "d" | "decline" | "n" | "no":
                    return Answer("decline")
                case _:
                    continue

    async def _written(self, question_id: str, model: str) -> Answer | None:
        known = [choice.id for choice in self._console.models()]
        chosen = model or (known[0] if known else "")
        try:
            text = await self._console.questions.write(question_id, chosen)
        except UserFault as problem:
            self._write(self._harmless(f"Nothing was written: {problem}"))
            return None
        self._write(self._harmless(f"  {chosen}: {text}"))
        return Answer("accept", text=text, model=chosen)

    async def _input(self, question: InputQuestion) -> Answer:
        what = question.message or question.id
        choices = f" ({', '.join(question.options)})" if question.options else ""
        default = f" [{question.default}]" if question.default else ""
        self._write(self._harmless(f"\n{question.source} needs a value to start: {what}{choices}{default}"))
        with _hidden() if question.password else _seen():
            typed = await self._line("Value (empty = decline) > ") or question.default
        if not typed or (question.options and typed not in question.options):
            return Answer("decline")
        return Answer("accept", text=typed)


def _field_words(name: str, about: Mapping[str, Json], required: bool) -> str:
    choices = about.get("enum")
    kind = " | ".join(map(str, choices)) if isinstance(choices, list) else str(about.get("type", "value"))
    more = [kind, *(["required"] if required else []), *([f"default {about['default']}"] if "default" in about else [])]
    words = about.get("description") or about.get("title")
    return f"{name} ({', '.join(more)})" + (f": {words}" if words else "")


def _read_value(typed: str, about: Mapping[str, Json]) -> Json:
    """What was typed, as the schema's type; what does not fit stays text, and the check says so."""
    match about.get("type"):
        case "string":
            return typed
        case "boolean" if typed.lower() in _YES | _NO:
            return typed.lower() in _YES
        case "array" if not typed.startswith("["):
            return [part.strip() for part in typed.split(",")]
        case _:
            try:
                return orjson.loads(typed)
            except orjson.JSONDecodeError:
                return typed


@contextmanager
def _seen() -> Iterator[None]:
    yield


@contextmanager
def _hidden() -> Iterator[None]:
    """What is typed is not shown, where the terminal can do that."""
    if termios is None or not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    quiet = list(before)
    quiet[3] &= ~termios.ECHO
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
