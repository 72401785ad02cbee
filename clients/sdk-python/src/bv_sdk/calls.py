"""The calls of both clients: paths, idempotency keys, retries, pages and waits, without input or output."""

from __future__ import annotations

import json
import logging
import re
import time
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from .errors import ApiTimeoutError, BrandVisibilityError, is_stale
from .lists import Walk
from .operation import Operation
from .options import (
    CallOptions,
    ClientOptions,
    ListOptions,
    RetryInfo,
    RetryOptions,
    WriteOptions,
    check_names,
    check_range,
    read_api_key,
    read_base_url,
)
from .page import Page, parse_page
from .response import Response, describe, read_response
from .retry import backoff, plan_retry
from .steps import Answer, Outcome, Send, Sleep, Steps
from .version import __version__

log = logging.getLogger("bv_sdk")
RESERVED_HEADERS = {
    "accept",
    "authorization",
    "content-length",
    "content-type",
    "host",
    "idempotency-key",
    "transfer-encoding",
}
"""Set by the client only."""


@dataclass(frozen=True)
class Request:
    """One call: the same for all its attempts, but for the key."""

    operation: Operation
    path: str
    content: bytes | None = field(repr=False)
    options: CallOptions = field(repr=False)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


def _segment(name: str, value: object) -> str:
    """Escapes a part of a path. Raises if it is empty or would change the path."""
    text = str(value) if isinstance(value, (str, uuid.UUID)) else ""
    if text in {"", ".", ".."}:
        raise ValueError(f"{name} must be an id")
    return quote(text, safe="")


def _path(operation: Operation, path: Mapping[str, object], query: Mapping[str, object]) -> str:
    written = re.sub(r"\{(\w+)\}", lambda part: _segment(part[1], path[part[1]]), operation.path)
    present = {name: _text(value) for name, value in query.items() if value is not None}
    return f"{written}?{urlencode(present, quote_via=quote)}" if present else written


def _encode_other(value: object) -> str:
    if isinstance(value, (date, uuid.UUID)):
        return _text(value)
    raise TypeError(f"a body cannot have a {type(value).__name__}")


def _content(body: object) -> bytes | None:
    if body is None:
        return None
    return json.dumps(body, ensure_ascii=False, allow_nan=False, default=_encode_other).encode()


def _new_key(operation: Operation, options: CallOptions) -> str | None:
    if not operation.is_idempotent:
        return None
    passed = options.get("idempotency_key")
    if passed is None:
        return str(uuid.uuid4())
    if not isinstance(passed, str) or not re.fullmatch(r"[\x21-\x7e]{1,255}", passed):
        raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters")
    return passed


def _free_headers(written: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in written.items() if name.lower() not in RESERVED_HEADERS}


class Calls:
    def __init__(self, base_url: str | None, api_key: str | None, options: ClientOptions) -> None:
        check_names(ClientOptions, options, "BrandVisibilityClient")
        self.base_url = read_base_url(base_url)
        self._options = options
        self._retry = options.get("retry", RetryOptions())
        self._timeout = check_range("timeout", options.get("timeout", 120.0))
        self._attempt_timeout = check_range("attempt_timeout", options.get("attempt_timeout", 30.0))
        agent = f"bv-sdk-python/{__version__}"
        name = options.get("user_agent")
        self._headers = httpx.Headers(_free_headers(options.get("headers", {})))
        self._headers["authorization"] = f"Bearer {read_api_key(api_key)}"
        self._headers["accept"] = "application/json"
        self._headers["user-agent"] = agent if name is None else f"{name} {agent}"

    def call(
        self,
        operation: Operation,
        path: Mapping[str, object],
        query: Mapping[str, object],
        body: object,
        options: CallOptions,
    ) -> Steps[Response]:
        check_names(WriteOptions if operation.is_idempotent else CallOptions, options, operation.id)
        request = Request(operation, _path(operation, path, query), _content(body), options)
        return self._send(request)

    def request(
        self, method: str, path: str, query: Mapping[str, object], body: object, options: WriteOptions
    ) -> Steps[Response]:
        """A request for which this version has no method."""
        if not path.startswith("/"):
            raise ValueError("path must start with /")
        operation = Operation(f"{method} {path}", method, path, method != "GET")
        return self.call(operation, {}, query, body, options)

    def read_list(
        self,
        operation: Operation,
        path: Mapping[str, object],
        query: Mapping[str, object],
        options: ListOptions,
    ) -> Walk[Any]:
        """Checks the options at the call, before the first page is read."""
        check_names(ListOptions, options, operation.id)
        if options.get("on_stale", "raise") not in {"restart", "raise"}:
            raise ValueError("on_stale must be 'restart' or 'raise'")
        return lambda on_stale: self._walk(operation, path, query, {"on_stale": on_stale, **options})

    def _walk(
        self,
        operation: Operation,
        path: Mapping[str, object],
        query: Mapping[str, object],
        options: ListOptions,
    ) -> Generator[Send | Sleep | Page[Any], Outcome, None]:
        """Pages of a list. A step is sent to the transport, a page to the caller."""
        max_restarts = check_range("max_restarts", options.get("max_restarts", 5))
        current: Mapping[str, object] = query
        number = 1
        while True:
            request = Request(operation, _path(operation, path, current), None, options)
            try:
                response = yield from self._send(request)
            except BrandVisibilityError as error:
                if options.get("on_stale") != "restart" or number > max_restarts or not is_stale(error):
                    raise
                options.get("on_restart", lambda: None)()
                yield Sleep(backoff(number, options.get("retry", self._retry)))
                number += 1
                current = {**query, "cursor": None}
                continue
            page: Page[Any] = parse_page(response, current.get("cursor"), number)
            yield page
            if page.next_cursor is None:
                return
            # The cursor contains filters and window, but not the page size.
            current = {"limit": query.get("limit"), "cursor": page.next_cursor}

    def _send(self, request: Request) -> Steps[Response]:
        options = request.options
        retry = options.get("retry", self._retry)
        deadline = time.monotonic() + check_range("timeout", options.get("timeout", self._timeout))
        key = _new_key(request.operation, options)
        number = counted = 1
        while True:
            try:
                response = yield from self._attempt(request, number, key, deadline)
            except BrandVisibilityError as error:
                plan = plan_retry(error, counted, retry)
                if plan is None or (plan.counts and counted > retry.max_retries):
                    raise
                if time.monotonic() + plan.wait >= deadline:
                    raise
                # Never replace a key that the caller has passed.
                if plan.is_new_key_needed and "idempotency_key" in options:
                    raise
                if plan.is_new_key_needed:
                    key = _new_key(request.operation, options)
                counted += plan.counts
                self._report_retry(RetryInfo(request.operation.id, number, plan.wait, error))
                wait = plan.wait
            else:
                return response
            yield Sleep(wait)
            number += 1

    def _attempt(self, request: Request, number: int, key: str | None, deadline: float) -> Steps[Response]:
        options = request.options
        limit = check_range("attempt_timeout", options.get("attempt_timeout", self._attempt_timeout))
        timeout = max(min(limit, deadline - time.monotonic()), 0.0)
        started = time.monotonic()
        operation = request.operation
        url = self.base_url + request.path
        send = Send(operation.method, url, self._request_headers(request, key), request.content, timeout)
        outcome = yield send
        if not isinstance(outcome, Answer):
            raise outcome or ApiTimeoutError("no response")
        info = describe(operation.id, send, number, outcome, time.monotonic() - started)
        log.debug("%s: status %s, request %s", info.operation, info.status, info.request_id)
        ignored = info.headers.get("x-ignored-parameters")
        if ignored is not None:
            log.warning("%s: the API ignored the parameters %s", info.operation, ignored)
        for report in (self._options.get("on_response"), options.get("on_response")):
            if report is not None:
                report(info)
        return read_response(outcome, info, self.base_url)

    def _request_headers(self, request: Request, key: str | None) -> httpx.Headers:
        headers = self._headers.copy()
        headers.update(_free_headers(request.options.get("headers", {})))
        if request.content is not None:
            headers["content-type"] = "application/json"
        if key is not None:
            headers["idempotency-key"] = key
        return headers

    def _report_retry(self, info: RetryInfo) -> None:
        log.info(
            "%s: attempt %s failed, next in %.2f s: %s", info.operation, info.attempt, info.wait, info.error
        )
        report = self._options.get("on_retry")
        if report is not None:
            report(info)
