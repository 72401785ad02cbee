"""Reads what the Python client needs from the OpenAPI document."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

# The client opens envelopes, and turns refusals into exceptions.
HIDDEN = re.compile(r"^(ErrorResponse|ErrorContent|Pagination|\w+(Envelope|Page))$")
BOUND = re.compile(
    r"^(m(in|ax)(imum|Length|Items|Properties)|pattern|format|uniqueItems|examples?|additionalProperties)$"
)
# Page is also the end of a name that is not a page of a list.
SHOWN = {"CitedPage"}


@dataclass(frozen=True)
class Parameter:
    name: str
    schema: Schema
    description: str


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    summary: str
    description: str
    path_parameters: list[Parameter]
    query: list[Parameter]
    body: str | None
    is_body_required: bool
    is_idempotent: bool
    is_list: bool
    """Name of the type that the operation returns, or of one row of its list."""
    result: str


@dataclass(frozen=True)
class Api:
    version: str
    operations: list[Operation]
    error_codes: dict[str, Schema]
    events: dict[str, str]
    """Event type to the name of its schema."""
    schemas: dict[str, Schema]


def reference_name(schema: Schema) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[-1]


def json_schema(content: Schema) -> Schema:
    schema: Schema = content["content"]["application/json"]["schema"]
    return schema


def read_parameters(row: Schema, place: str) -> list[Parameter]:
    return [
        Parameter(one["name"], one["schema"], one["description"])
        for one in row.get("parameters", [])
        if one["in"] == place
    ]


def read_operation(path: str, method: str, row: Schema, schemas: dict[str, Schema]) -> Operation:
    success = next(response for status, response in row["responses"].items() if status.startswith("2"))
    data = schemas[reference_name(json_schema(success))]["properties"]["data"]
    is_list = data.get("type") == "array"
    body = row.get("requestBody")
    return Operation(
        id=row["operationId"],
        method=method.upper(),
        path=path,
        summary=row["summary"],
        description=row.get("description", ""),
        path_parameters=read_parameters(row, "path"),
        query=read_parameters(row, "query"),
        body=None if body is None else reference_name(json_schema(body)),
        is_body_required=bool(body and body.get("required")),
        is_idempotent=any(one.name == "Idempotency-Key" for one in read_parameters(row, "header")),
        is_list=is_list,
        result=reference_name(data["items"] if is_list else data),
    )


def typed_schema(schema: Any) -> Any:
    """The schema without what types do not say: bounds, patterns, and fields that a request must not have."""
    if isinstance(schema, list):
        return [typed_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "x-extensible-enum" in schema:
        return open_enum(schema)
    kept = {}
    for name, value in schema.items():
        if name == "properties":
            fields = {field: one for field, one in value.items() if "not" not in one}
            kept[name] = {field: typed_schema(one) for field, one in fields.items()}
        elif not BOUND.match(name) or (name == "additionalProperties" and isinstance(value, dict)):
            kept[name] = typed_schema(value)
    return kept


def open_enum(schema: Schema) -> Schema:
    """Known values, which editors offer, or any text."""
    known = {"type": "string", "enum": schema["x-extensible-enum"]}
    description = {"description": schema["description"]} if "description" in schema else {}
    return {**description, "anyOf": [known, {"type": schema["type"]}]}


def read_api(path: Path) -> Api:
    document = json.loads(path.read_text())
    schemas: dict[str, Schema] = document["components"]["schemas"]
    operations = [
        read_operation(path, method, row, schemas)
        for path, methods in document["paths"].items()
        for method, row in methods.items()
    ]
    events = {
        kind: reference_name(json_schema(row["post"]["requestBody"]))
        for kind, row in document["webhooks"].items()
    }
    shown = {
        name: typed_schema(copy.deepcopy(schema))
        for name, schema in schemas.items()
        if name in SHOWN or not HIDDEN.match(name)
    }
    return Api(document["info"]["version"], operations, document["x-error-codes"], events, shown)
