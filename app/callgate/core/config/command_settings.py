"""A tool declared in the configuration as a command line: `[[sources.tools]]` of a source of kind `command`.

The names of the manifest fields are those of VS Code's `languageModelTools`. Checked here as far as the text alone
tells; whether the program is there is found out when it is run.
"""

import re
from typing import Annotated, cast

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, field_validator, model_validator

from callgate.core.calls.wording import Wording, unknown_places
from callgate.core.catalog.when import read_condition
from callgate.core.config.argv_template import ArgvTemplate, check_places, read_template
from callgate.core.messages import Json
from callgate.core.schema.json_schema import schema_problem

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_REFERENCE = re.compile(r"[A-Za-z_][\w-]{0,63}")


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class HintSettings(_Section):
    """What a tool says of itself, by MCP's names."""

    read_only: bool | None = Field(default=None, alias="readOnlyHint")
    destructive: bool | None = Field(default=None, alias="destructiveHint")
    idempotent: bool | None = Field(default=None, alias="idempotentHint")
    open_world: bool | None = Field(default=None, alias="openWorldHint")


class PrepareSettings(_Section):
    """How a tool speaks of its calls to the person; `{name}` stands for an argument."""

    title: str = ""
    message: str = ""
    invocation_message: str = Field(default="", alias="invocationMessage")
    past_tense_message: str = Field(default="", alias="pastTenseMessage")
    disclaimer: str = ""
    review_result: bool = Field(default=False, alias="reviewResult")

    @property
    def wording(self) -> Wording:
        return Wording(
            self.title,
            self.message,
            self.invocation_message,
            self.past_tense_message,
            self.disclaimer,
            self.review_result,
        )


class CommandToolSettings(_Section):
    name: str
    argv: tuple[str, ...]
    """The program and its arguments, each a text with places as `core.argv_template` reads them."""
    description: str = ""
    """For the model; `modelDescription` wins over it."""
    input_schema: dict[str, Json] = Field(
        default_factory=dict[str, Json], validation_alias=AliasChoices("schema", "inputSchema")
    )
    cwd: str = ""
    """Within the workspace; empty = the source's, or the workspace."""
    env: dict[str, str] = Field(default_factory=dict[str, str])
    pass_env: tuple[str, ...] = ()
    """Variables that the program gets although they look like keys."""
    timeout_seconds: Annotated[float, Field(gt=0)] | None = None
    option_values: bool = False
    """Whether a text argument may begin with `-`, where the program would take it for an option."""
    annotations: HintSettings = HintSettings()
    display_name: str = Field(default="", alias="displayName")
    reference_name: str = Field(default="", alias="toolReferenceName")
    user_description: str = Field(default="", alias="userDescription")
    model_description: str = Field(default="", alias="modelDescription")
    tags: tuple[str, ...] = ()
    when: str = ""
    referable: bool = Field(default=True, alias="canBeReferencedInPrompt")
    icon: str = ""
    private: bool = False
    """For the person only: it can be tried in the window, and no client ever hears of it."""
    prepare: PrepareSettings = PrepareSettings()

    @field_validator("argv", "tags", "pass_env", mode="before")
    @classmethod
    def _lists(cls, value: object) -> object:
        return tuple(cast(list[object], value)) if isinstance(value, list) else value

    @field_validator("argv")
    @classmethod
    def _readable_template(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        read_template(value)
        return value

    @field_validator("name")
    @classmethod
    def _fit_name(cls, value: str) -> str:
        if _NAME.fullmatch(value) is None:
            raise ValueError(f"expected 1 to 64 letters, digits, '_' and '-', got {value[:80]!r}")
        return value

    @field_validator("reference_name")
    @classmethod
    def _fit_reference(cls, value: str) -> str:
        if value and _REFERENCE.fullmatch(value) is None:
            raise ValueError(f"expected a word of letters, digits, '_' and '-', got {value[:80]!r}")
        return value

    @field_validator("when")
    @classmethod
    def _readable_condition(cls, value: str) -> str:
        read_condition(value)
        return value

    @field_validator("input_schema")
    @classmethod
    def _usable_schema(cls, value: dict[str, Json]) -> dict[str, Json]:
        if problem := schema_problem(value):
            raise ValueError(f"not a JSON Schema for arguments: {problem}")
        return value

    @model_validator(mode="after")
    def _fillable(self) -> "CommandToolSettings":
        check_places(self.template, self.input_schema)
        if unknown := unknown_places(self.prepare.wording, self.input_schema):
            raise ValueError(f"prepare speaks of {unknown[0]!r}, which is no parameter of the schema")
        return self

    @property
    def template(self) -> ArgvTemplate:
        return read_template(self.argv, option_values=self.option_values)
