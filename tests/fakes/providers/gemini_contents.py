"""What Gemini checks of the contents and tools it is sent. Proto JSON: every field in camelCase or in snake_case."""

import re
from typing import Any

from tests.fakes.providers.shape import fields, insist, items, one_of, text, within

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")
_DATA = [
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
]
_PART = [*_DATA, "thought", "thoughtSignature", "videoMetadata", "mediaResolution", "partMetadata"]
_SCHEMA = [
    "$id",
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
    "propertyOrdering",
]


def camel(value: dict[str, Any]) -> dict[str, Any]:
    """The message's own fields in camelCase; whatever is inside them is left alone."""
    return {re.sub(r"_([a-z])", lambda found: found.group(1).upper(), key): inner for key, inner in value.items()}


def check_tools(tools: Any, config: Any) -> set[str]:
    """The names of all declared functions."""
    declared: set[str] = set()
    for index, tool in enumerate(items(tools, "tools", empty=True)):
        where = f"tools[{index}]"
        tool = fields(camel(tool), where, [], ["functionDeclarations", "googleSearch", "codeExecution", "urlContext"])
        for number, declaration in enumerate(tool.get("functionDeclarations", [])):
            place = f"{where}.functionDeclarations[{number}]"
            known = ["description", "parameters", "parametersJsonSchema", "response", "responseJsonSchema", "behavior"]
            declaration = fields(camel(declaration), place, ["name"], known)
            insist(_NAME.fullmatch(text(declaration["name"], place)), f"{place}.name: Invalid function name")
            insist(declaration["name"] not in declared, f"{place}: Duplicate function declaration")
            declared.add(declaration["name"])
            both = "parameters" in declaration and "parametersJsonSchema" in declaration
            insist(not both, f"{place}: parameters and parametersJsonSchema are mutually exclusive")
            if "parametersJsonSchema" in declaration:
                _check_schema(declaration["parametersJsonSchema"], f"{place}.parametersJsonSchema")
    if config is not None:
        _check_config(camel(config), declared)
    return declared


def _check_config(config: dict[str, Any], declared: set[str]) -> None:
    fields(config, "toolConfig", [], ["functionCallingConfig", "retrievalConfig", "includeServerSideToolInvocations"])
    calling = camel(config.get("functionCallingConfig", {}))
    fields(calling, "functionCallingConfig", [], ["mode", "allowedFunctionNames", "streamFunctionCallArguments"])
    one_of(calling.get("mode"), (None, "AUTO", "ANY", "NONE", "VALIDATED"), "functionCallingConfig.mode")
    names = calling.get("allowedFunctionNames", [])
    insist(not names or calling.get("mode") in ("ANY", "VALIDATED"), "allowedFunctionNames needs mode ANY or VALIDATED")
    insist(set(names) <= declared, f"allowedFunctionNames: {sorted(set(names) - declared)} are not declared")


def _check_schema(schema: Any, where: str) -> None:
    insist(isinstance(schema, dict), f"{where}: expected a schema")
    unknown = sorted(set(schema) - set(_SCHEMA))
    insist(not unknown, f"{where}: {unknown} are not supported")
    beside = [key for key in schema if not key.startswith("$")] if "$ref" in schema else []
    insist(not beside, f"{where}: only fields that start with $ may stand beside $ref, not {beside}")
    for place, inner in within(schema):
        _check_schema(inner, f"{where}.{place}")


def joined(contents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Neighbouring contents of one role as one."""
    turns: list[dict[str, Any]] = []
    for content in contents:
        if turns and turns[-1].get("role") == content.get("role"):
            turns[-1] = turns[-1] | {"parts": [*turns[-1]["parts"], *content["parts"]]}
        else:
            turns.append(content)
    return turns


ANYWHERE = None
"""In place of the part that a signature stood on: it may stand on any."""


def check_contents(contents: Any, signed: dict[str, Any], declared: set[str], *, older: bool) -> None:
    """`signed`: the signatures that were given out, each with its part."""
    turns = [
        _checked(content, f"contents[{index}]", signed) for index, content in enumerate(items(contents, "contents"))
    ]
    last_asked = max((at for at, (role, parts) in enumerate(turns) if role == "user" and _asks(parts)), default=-1)
    expected = "user"
    calls: list[dict[str, Any]] = []
    for index, (role, parts) in enumerate(turns):
        where = f"contents[{index}]"
        insist(role == expected, f"{where}: roles must alternate between user and model, starting with user")
        expected = "model" if role == "user" else "user"
        responses = [camel(part["functionResponse"]) for part in parts if "functionResponse" in part]
        insist(
            len(responses) == len(calls),
            f"{where}: Please ensure that the number of function response parts is equal to the number of function "
            f"call parts of the function call turn ({len(responses)} and {len(calls)}).",
        )
        _check_pairs(calls, responses, where)
        calls = [camel(part["functionCall"]) for part in parts if "functionCall" in part]
        insist(declared or not calls, f"{where}: functions were called, and none are declared")
        named = [said for said in (*calls, *responses) if "id" in said]
        insist(not older or not named, f'{where}: Unknown name "id": Cannot find field.')
        if calls and index > last_asked and not older:
            first = next(part for part in parts if "functionCall" in part)
            insist(
                first.get("thoughtSignature"),
                f"{where}: Function call `{calls[0]['name']}` is missing a thought_signature in functionCall parts.",
            )
    insist(expected == "model", "Please ensure that the last content is of the user")


def _checked(content: Any, where: str, signed: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    fields(content, where, ["parts"], ["role"])
    role = one_of(content.get("role", "user"), ("user", "model"), f"{where}.role")
    parts = [camel(part) for part in items(content["parts"], f"{where}.parts")]
    for number, part in enumerate(parts):
        place = f"{where}.parts[{number}]"
        fields(part, place, [], _PART)
        data = [key for key in _DATA if key in part]
        insist(len(data) == 1, f"{place}: required oneof field 'data' must have one initialized field: {data}")
        if data == ["functionCall"]:
            insist(role == "model", f"{place}: function calls belong to the role model")
            fields(camel(part["functionCall"]), place, ["name"], ["args", "id"])
            insist(isinstance(part["functionCall"].get("args", {}), dict), f"{place}.args: expected a Struct")
        if data == ["functionResponse"]:
            insist(role == "user", f"{place}: function responses belong to the role user")
            fields(camel(part["functionResponse"]), place, ["name", "response"], ["id", "parts"])
            insist(isinstance(part["functionResponse"]["response"], dict), f"{place}.response: expected a Struct")
        if "thoughtSignature" in part:
            _check_signature(part, signed, place)
    return role, parts


def _check_signature(part: dict[str, Any], signed: dict[str, Any], where: str) -> None:
    # either alphabet of base64 is read; the sentinel for lost signatures is no excuse here: none may be lost
    signature = part["thoughtSignature"].replace("-", "+").replace("_", "/")
    insist(signature in signed, f"{where}: Thought signature is not valid: {signature}")
    bare = {key: value for key, value in part.items() if key != "thoughtSignature"}
    given = signed[signature]
    if given is ANYWHERE:
        return
    if "functionCall" in bare and "functionCall" in given:  # ids may be left out: LangChain does
        call = {
            key: given["functionCall"][key]
            for key in given["functionCall"]
            if key in ("name", "args", *bare["functionCall"])
        }
        given = given | {"functionCall": call}
    insist(bare == given, f"{where}: the signature stood on another part: {bare} is not {given}")


def _check_pairs(calls: list[dict[str, Any]], responses: list[dict[str, Any]], where: str) -> None:
    for call, response in zip(calls, responses, strict=True):
        insist(
            response["name"] == call["name"],
            f"{where}: function response {response['name']!r} does not fit the call {call['name']!r}",
        )
        insist(
            response.get("id") in (None, call.get("id")),
            f"{where}: response id {response.get('id')!r} is not the call's",
        )


def _asks(parts: list[dict[str, Any]]) -> bool:
    return any("functionResponse" not in part for part in parts)
