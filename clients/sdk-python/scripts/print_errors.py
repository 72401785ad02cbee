"""Prints the error codes with their retries, and the types of their details."""

from __future__ import annotations

from api_document import Api, Schema, reference_name

FRAME = '''
from __future__ import annotations

from typing import Any, Literal, TypeAlias, overload

from . import types

ErrorCode: TypeAlias = Literal[{codes}]
"""Further codes may follow."""

RETRYABLE: dict[str, bool] = {{{retryable}}}
"""Whether the same request may succeed later."""

WebhookEvent: TypeAlias = {events}
"""Discriminated by `type`. Further types may follow: return 2xx for them."""

WebhookEventType: TypeAlias = Literal[{event_types}]

{overloads}
def error_details(error: BaseException | None, code: str) -> Any:
    """The `details` of an `ApiError` with this code. `None` for any other error, or without details."""
    if getattr(error, "code", None) != code:
        return None
    return getattr(error, "details", None)
'''


def details_type(schema: Schema) -> str:
    if schema.get("type") == "array":
        return f"list[{details_type(schema['items'])}]"
    if "anyOf" in schema:
        return " | ".join(details_type(one) for one in schema["anyOf"])
    return f"types.{reference_name(schema)}"


def print_errors(api: Api) -> str:
    by_type: dict[str, list[str]] = {}
    for code, row in api.error_codes.items():
        if "details" in row:
            by_type.setdefault(details_type(row["details"]), []).append(code)
    overloads = [
        f"@overload\ndef error_details(error: BaseException | None, code: Literal[{quoted(codes)}]"
        f") -> {kind} | None: ...\n"
        for kind, codes in by_type.items()
    ]
    overloads.append("@overload\ndef error_details(error: BaseException | None, code: str) -> Any: ...\n")
    return FRAME.format(
        codes=quoted(list(api.error_codes)),
        retryable=", ".join(f'"{code}": {row["x-retryable"]}' for code, row in api.error_codes.items()),
        events=" | ".join(f"types.{name}" for name in api.events.values()),
        event_types=quoted(list(api.events)),
        overloads="\n".join(overloads),
    )


def quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
