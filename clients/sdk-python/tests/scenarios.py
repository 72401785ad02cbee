"""The shared scenarios of clients/sdk-scenarios, and their words in Python."""

from __future__ import annotations

import json
import keyword
import re
from pathlib import Path
from typing import Any

from bv_sdk import RetryOptions

DIRECTORY = Path(__file__).parents[2] / "sdk-scenarios"
FIRST_BACKOFF = 0.005


def load(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((DIRECTORY / f"{name}.json").read_text())
    return content


def only(row: dict[str, Any], *names: str) -> dict[str, Any]:
    """The row itself. A field that these tests do not know is a failure: it would be ignored."""
    unknown = set(row) - set(names)
    assert not unknown, f"the tests do not know {sorted(unknown)}"
    return row


def fill(value: Any, objects: dict[str, Any]) -> Any:
    """Replaces each text that starts with `@` by the object of that name."""
    if isinstance(value, str) and value.startswith("@"):
        return fill(objects[value[1:]], objects)
    if isinstance(value, list):
        return [fill(one, objects) for one in value]
    if isinstance(value, dict):
        return {name: fill(one, objects) for name, one in value.items()}
    return value


def snake(name: str) -> str:
    written = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    return f"{written}_" if keyword.iskeyword(written) else written


def to_options(row: dict[str, Any]) -> dict[str, Any]:
    """Options of a client or a call."""
    only(
        row,
        *("max_retries", "timeout_ms", "attempt_timeout_ms", "headers", "idempotency_key"),
        *("on_stale", "max_restarts", "poll_interval_ms"),
    )
    options: dict[str, Any] = {}
    for name, value in row.items():
        if name == "max_retries":
            options["retry"] = RetryOptions(max_retries=value, base_delay=FIRST_BACKOFF)
        elif name.endswith("_ms"):
            options[name.removesuffix("_ms")] = value / 1000
        else:
            options[name] = "raise" if (name, value) == ("on_stale", "fail") else value
    return options
