"""Prints the table of operations, and the methods of the synchronous and the asynchronous client."""

from __future__ import annotations

import keyword
import re
import textwrap

from api_document import Api, Operation, Parameter

SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}

FRAME = '''
from __future__ import annotations

from datetime import date
from typing import Any, Literal

from typing_extensions import Unpack

from . import options, types
from .lists import AsyncList, List
from .operation import Operation

API_VERSION = "{version}"

OPERATIONS = {{
{table}
}}


class Operations:
    """Every operation of the API. The client implements how they are sent."""

    def _call(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        body: object,
        call_options: options.CallOptions,
    ) -> Any:
        raise NotImplementedError

    def _list(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        call_options: options.ListOptions,
    ) -> List[Any]:
        raise NotImplementedError

{methods}


class AsyncOperations:
    """Every operation of the API. The client implements how they are sent."""

    async def _call(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        body: object,
        call_options: options.CallOptions,
    ) -> Any:
        raise NotImplementedError

    def _list(
        self,
        operation: Operation,
        path: dict[str, str],
        query: dict[str, Any],
        call_options: options.ListOptions,
    ) -> AsyncList[Any]:
        raise NotImplementedError

{async_methods}
'''


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def argument(name: str) -> str:
    written = snake(name)
    return f"{written}_" if keyword.iskeyword(written) else written


def query_type(schema: dict[str, object]) -> str:
    if "$ref" in schema:
        return f"types.{str(schema['$ref']).rsplit('/', 1)[-1]}"
    if isinstance(schema.get("enum"), list):
        values = schema["enum"]
        assert isinstance(values, list)
        return f"Literal[{', '.join(repr(value) for value in values)}]"
    if schema.get("format") == "date":
        return "date | str"
    return SCALARS[str(schema["type"])]


def wrap(line: str) -> str:
    indent = "  " if re.match(r"- |\d\. ", line) else ""
    return textwrap.fill(line, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def docstring(operation: Operation) -> str:
    parts = [f"{operation.summary}.", operation.description]
    if operation.query:
        rows = [f"- `{argument(one.name)}`: {one.description}" for one in operation.query]
        parts.append("\n".join(rows))
    parts.append(f"{operation.method} {operation.path}.")
    lines = "\n\n".join(part for part in parts if part).replace("\\", "\\\\").split("\n")
    text = "\n".join(wrap(line) for line in lines)
    return f'"""{text}\n"""'


def mapping(parameters: list[Parameter]) -> str:
    return "{" + ", ".join(f'"{one.name}": {argument(one.name)}' for one in parameters) + "}"


def signature(operation: Operation) -> list[str]:
    words = ["self", *(f"{argument(one.name)}: str" for one in operation.path_parameters)]
    if operation.body is not None:
        optional = "" if operation.is_body_required else " | None = None"
        words.append(f"body: types.{operation.body}{optional}")
    if operation.query:
        words.append("*")
        words += [f"{argument(one.name)}: {query_type(one.schema)} | None = None" for one in operation.query]
    kind = "List" if operation.is_list else "Write" if operation.is_idempotent else "Call"
    return [*words, f"**call_options: Unpack[options.{kind}Options]"]


def method(operation: Operation, is_async: bool) -> str:
    """Lists are read during iteration, so that their methods are not coroutines."""
    entry = f'OPERATIONS["{operation.id}"]'
    places = f"{mapping(operation.path_parameters)}, {mapping(operation.query)}"
    arguments = ", ".join(signature(operation))
    name = snake(operation.id)
    result = f"types.{operation.result}"
    if operation.is_list:
        returned = f"{'Async' if is_async else ''}List[{result}]"
        head = f"def {name}({arguments},) -> {returned}:"
        lines = [f"return self._list({entry}, {places}, call_options)"]
    else:
        body = "None" if operation.body is None else "body"
        if not operation.is_body_required and operation.body is not None:
            body = "{} if body is None else body"
        head = f"{'async ' if is_async else ''}def {name}({arguments},) -> {result}:"
        call = f"self._call({entry}, {places}, {body}, call_options)"
        lines = [f"data: {result} = {'await ' if is_async else ''}{call}", "return data"]
    text = "\n".join([docstring(operation), *lines])
    return textwrap.indent(f"{head}\n{textwrap.indent(text, '    ')}", "    ")


def table_row(one: Operation) -> str:
    return f'"{one.id}": Operation("{one.id}", "{one.method}", "{one.path}", {one.is_idempotent}),'


def print_operations(api: Api) -> str:
    return FRAME.format(
        version=api.version,
        table="\n".join(table_row(one) for one in api.operations),
        methods="\n\n".join(method(one, False) for one in api.operations),
        async_methods="\n\n".join(method(one, True) for one in api.operations),
    )
