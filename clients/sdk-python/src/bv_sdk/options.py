"""Options of a client and of its calls. Durations are in seconds."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Literal, TypeAlias, TypedDict
from urllib.parse import urlsplit, urlunsplit

MAX_SECONDS = 2**31 / 1000


@dataclass(frozen=True)
class RateLimit:
    """The allowance of the clock minute."""

    limit: int
    remaining: int
    resets_at: datetime


@dataclass(frozen=True)
class ResponseInfo:
    """Status and headers of a response."""

    operation: str
    method: str
    url: str
    attempt: int
    """Number of the attempt, from 1."""
    status: int
    request_id: str | None
    idempotent_replayed: bool
    """Whether this is the stored response of an earlier attempt."""
    rate_limit: RateLimit | None
    headers: Mapping[str, str] = field(repr=False)
    duration: float
    """Seconds from the request to the end of the response."""


@dataclass(frozen=True)
class RetryInfo:
    operation: str
    attempt: int
    """Number of the attempt that failed, from 1."""
    wait: float
    error: Exception


@dataclass(frozen=True)
class RetryOptions:
    max_retries: int = 5
    """Attempts after the first. Waits for `scan_in_progress` and `idempotency_key_in_flight` do not count."""
    base_delay: float = 0.25
    """First backoff without a `Retry-After`. Doubles with every attempt."""
    max_delay: float = 8.0
    max_retry_after: float = 65.0
    """The client raises instead of waiting for a longer `Retry-After`, as of a spent monthly quota."""

    def __post_init__(self) -> None:
        for one in fields(self):
            check_range(f"retry.{one.name}", getattr(self, one.name))


OnResponse: TypeAlias = Callable[[ResponseInfo], object]
OnRetry: TypeAlias = Callable[[RetryInfo], object]


class AttemptOptions(TypedDict, total=False):
    attempt_timeout: float
    """Deadline of one attempt."""
    retry: RetryOptions
    headers: Mapping[str, str]
    """Sent in addition, for example for tracing. Those of the client, such as the key, cannot be replaced."""
    on_response: OnResponse
    """Called for the responses of this call."""


class CallOptions(AttemptOptions, total=False):
    timeout: float
    """Deadline of the call with all its retries, or of each page of a list."""


class WriteOptions(CallOptions, total=False):
    idempotency_key: str
    """1 to 255 visible ASCII characters. By default every call gets a new key, which its retries keep."""


class ListOptions(CallOptions, total=False):
    on_stale: Literal["restart", "raise"]
    """When the data changed between two pages: `raise`, or `restart` at the first page.

    Default: `restart` for `all` and `to_dataframe`, which yield no row twice, else `raise`.
    """
    max_restarts: int
    """Default 5."""
    on_restart: Callable[[], object]
    """Called at every restart, so that the caller drops the rows collected so far."""


class ClientOptions(TypedDict, total=False):
    timeout: float
    """Deadline of a call with all its retries, or of each page of a list. Default 120."""
    attempt_timeout: float
    """Deadline of one attempt. Default 30."""
    retry: RetryOptions
    headers: Mapping[str, str]
    """Sent with every request."""
    user_agent: str
    """Prepended to the `User-Agent` of this package."""
    on_response: OnResponse
    """Called for every response."""
    on_retry: OnRetry
    """Called before every wait."""


def check_names(kind: type, options: Mapping[str, object], callee: str) -> None:
    """Raises for an option that does not exist, as Python does for an argument."""
    for name in options:
        if name not in kind.__annotations__:
            raise TypeError(f"{callee}() got an unexpected keyword argument {name!r}")


def check_range(name: str, value: float) -> float:
    """Validates a count or duration: 0 or more, and within the range of timers."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < MAX_SECONDS:
        raise ValueError(f"{name} must be a number between 0 and {math.floor(MAX_SECONDS)}")
    return value


def read_base_url(written: str | None) -> str:
    value = written if written is not None else os.environ.get("BV_BASE_URL")
    if value is None:
        raise ValueError("base_url is missing; pass it or set BV_BASE_URL")
    try:
        url = urlsplit(value.strip())
        host = url.hostname
        _ = url.port
    except ValueError:
        host = None
    if not host or url.scheme not in {"http", "https"}:
        raise ValueError("base_url must be an http(s) URL such as https://api.example.com/v1")
    if url.username is not None or url.password is not None or url.query or url.fragment:
        raise ValueError("base_url must not have credentials, a query or a fragment; pass the key as api_key")
    return urlunsplit((url.scheme, url.netloc, url.path.rstrip("/"), "", ""))


def read_api_key(written: str | None) -> str:
    value = written if written is not None else os.environ.get("BV_API_KEY")
    if value is None:
        raise ValueError("api_key is missing; pass it or set BV_API_KEY")
    if not re.fullmatch(r"[\x21-\x7e]+", value):
        raise ValueError("api_key is empty or has invalid characters")
    return value


def has_version(base_url: str) -> bool:
    """Whether the last part of the path is a version such as `/v1`."""
    return re.search(r"/v\d+$", base_url) is not None
