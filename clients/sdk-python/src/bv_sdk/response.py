"""Reads an answer: the data of a success, or the error it stands for."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import httpx

from .errors import ApiError, BrandVisibilityError, UnexpectedResponseError
from .options import RateLimit, ResponseInfo, has_version
from .retry_after import parse_retry_after
from .steps import Answer, Send


@dataclass(frozen=True)
class Response:
    body: dict[str, Any]
    """`data`, and `pagination` of a list."""
    info: ResponseInfo


def _number(headers: httpx.Headers, name: str) -> int | None:
    text = headers.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else None  # noqa: PLR2004


def _rate_limit(headers: httpx.Headers) -> RateLimit | None:
    limit, remaining, reset = (
        _number(headers, f"x-ratelimit-{name}") for name in ("limit", "remaining", "reset")
    )
    if limit is None or remaining is None or reset is None:
        return None
    try:
        return RateLimit(limit, remaining, datetime.fromtimestamp(reset, timezone.utc))
    except (OverflowError, ValueError, OSError):
        return None


def describe(operation: str, send: Send, attempt: int, answer: Answer, duration: float) -> ResponseInfo:
    headers = answer.headers
    return ResponseInfo(
        operation=operation,
        method=send.method,
        url=send.url,
        attempt=attempt,
        status=answer.status,
        request_id=headers.get("x-request-id"),
        idempotent_replayed=headers.get("idempotent-replayed") == "true",
        rate_limit=_rate_limit(headers),
        headers=headers,
        duration=duration,
    )


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def base_url_hint(base_url: str) -> str:
    """What to check about the base URL when the answer is not the expected one."""
    if has_version(base_url):
        return f"check the base URL {base_url}"
    return f"the base URL {base_url} has no version; try {base_url}/v1"


def to_error(answer: Answer, base_url: str) -> BrandVisibilityError:
    """The error of a response whose status is no success."""
    body = _parse(answer.content)
    error = body.get("error") if isinstance(body, dict) else None
    status, request_id = answer.status, answer.headers.get("x-request-id")
    retry_after = parse_retry_after(answer.headers.get("retry-after"), time.time())
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        is_redirect = 300 <= status < 400  # noqa: PLR2004 -- statuses of HTTP
        content = "a redirect" if is_redirect else f"{_kind(answer)} that is not an error of this API"
        message = f"status {status} with {content}; {base_url_hint(base_url)}"
        return UnexpectedResponseError(message, status, request_id, retry_after)
    code, text = error["code"], error.get("message")
    message = text if isinstance(text, str) else code
    if code == "not_found" and not has_version(base_url):
        message = f"{message}; {base_url_hint(base_url)}"
    return ApiError(
        code, status, message, error.get("details"), request_id, retry_after, dict(answer.headers)
    )


def _kind(answer: Answer) -> str:
    return "HTML" if "html" in answer.headers.get("content-type", "").lower() else "a body"


def read_response(answer: Answer, info: ResponseInfo, base_url: str) -> Response:
    """Raises the error of a refusal, or of an answer that is not from this API."""
    if not 200 <= answer.status < 300:  # noqa: PLR2004 -- statuses of HTTP
        raise to_error(answer, base_url)
    body = _parse(answer.content)
    if not isinstance(body, dict) or "data" not in body:
        message = f"status {answer.status} with {_kind(answer)} without data; {base_url_hint(base_url)}"
        raise UnexpectedResponseError(message, answer.status, info.request_id)
    return Response(body, info)
