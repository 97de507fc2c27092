"""The fields that a request may have for Callgate itself, the same on every chat route; providers never see them."""

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.request import Execution, GateOptions

USE_TOOLS = ("use_tools", "use_vscode_tools")
EXECUTION = "tool_execution"
MAX_ROUNDS = "max_tool_rounds"
GATE_FIELDS = (*USE_TOOLS, EXECUTION, MAX_ROUNDS)

_EXECUTIONS: dict[str, Execution] = {"none": "none", "auto": "auto"}


def read_gate_fields(fields: Fields) -> GateOptions:
    """What the body says to Callgate; raises `BadRequest` naming the field."""
    execution = fields.one_of(EXECUTION, tuple(_EXECUTIONS), None)
    return GateOptions(
        use_tools=_use_tools(fields),
        execution=None if execution is None else _EXECUTIONS[execution],
        max_rounds=fields.integer(MAX_ROUNDS, None, minimum=0),
    )


def _use_tools(fields: Fields) -> bool | None:
    said = [fields.boolean(name, None) for name in USE_TOOLS]
    answers = {answer for answer in said if answer is not None}
    if len(answers) > 1:
        raise BadRequest(
            f"'{USE_TOOLS[0]}' and '{USE_TOOLS[1]}' are two names of one field and contradict each other.",
            USE_TOOLS[0],
        )
    return answers.pop() if answers else None
