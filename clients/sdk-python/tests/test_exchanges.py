"""Runs clients/sdk-scenarios/exchanges.json on both clients."""

from __future__ import annotations

import json
import math
import threading
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from fault_server import FaultServer, Recorded, Step, disconnect, respond, truncated, write
from scenarios import FIRST_BACKOFF, fill, load, only, snake, to_options
from script import Script

from bv_sdk import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    ResponseInfo,
    RetryOptions,
    UnexpectedResponseError,
    partial_failure,
)

KEY = "bvk_live_scenario"
EXCHANGES = load("exchanges")
KINDS: dict[str, type[BaseException]] = {
    "api": ApiError,
    "connection": ApiConnectionError,
    "timeout": ApiTimeoutError,
    "unexpected_response": UnexpectedResponseError,
    "invalid_argument": ValueError,
}


def to_step(row: dict[str, Any], server: FaultServer) -> Step:
    only(row, "status", "headers", "body", "text", "cut", "close", "hang", "retry_after_date_seconds")
    if row.get("close"):
        return disconnect
    if row.get("hang"):
        return server.hang
    if row.get("cut"):
        return truncated(row["text"].encode())
    headers = dict(row.get("headers", {}))
    if "text" in row:
        return write(row["status"], row["text"].encode(), headers)
    if "retry_after_date_seconds" not in row:
        return respond(row["status"], row["body"], headers, request_id=None)

    def dated(handler: BaseHTTPRequestHandler) -> None:
        date = formatdate(math.ceil(time.time() + row["retry_after_date_seconds"]), usegmt=True)
        respond(row["status"], row["body"], {"retry-after": date}, request_id=None)(handler)

    return dated


def compare_request(received: Recorded, row: dict[str, Any], before: Recorded | None) -> None:
    only(row, "method", "path", "query", "body", "headers", "idempotency_key", "after_ms")
    assert (received.method, received.path) == (row["method"], row["path"])
    assert received.query == row.get("query", {})
    assert (json.loads(received.body) if received.body else None) == row.get("body")
    for name, value in row.get("headers", {}).items():
        assert received.headers.get(name) == value
    key = received.headers.get("idempotency-key")
    expected = row.get("idempotency_key")
    if expected == "none":
        assert key is None
    elif expected == "new":
        assert key
    elif expected == "same":
        assert before is not None
        assert key == before.headers.get("idempotency-key")
    else:
        assert expected is None
    if "after_ms" in row:
        assert before is not None
        assert (received.at - before.at) * 1000 >= row["after_ms"]


def compare_requests(received: list[Recorded], exchange: list[dict[str, Any]]) -> None:
    assert len(received) == len(exchange)
    seen: set[str | None] = set()
    for at, step in enumerate(exchange):
        only(step, "request", "response")
        compare_request(received[at], step["request"], received[at - 1] if at else None)
        key = received[at].headers.get("idempotency-key")
        if step["request"].get("idempotency_key") == "new":
            assert key not in seen
        seen.add(key)


def contains(actual: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            contains(actual.get(name), value) for name, value in expected.items()
        )
    if isinstance(expected, list):
        same = isinstance(actual, list) and len(actual) == len(expected)
        return same and all(contains(*pair) for pair in zip(actual, expected, strict=True))
    return bool(actual == expected)


def compare_error(error: BaseException, row: dict[str, Any]) -> None:
    only(
        row,
        *("kind", "status", "code", "details", "request_id", "retry_after_seconds"),
        *("message_contains", "message_lacks", "partial_failure"),
    )
    if isinstance(error, ApiError):
        names = {"retry_after_seconds": "retry_after"}
        for name in ("status", "code", "details", "request_id", "retry_after_seconds"):
            if name in row:
                assert getattr(error, names.get(name, name)) == row[name]
        if "partial_failure" in row:
            assert contains(partial_failure(error), row["partial_failure"])
    for part in row.get("message_contains", []):
        assert part in str(error)
    for part in row.get("message_lacks", []):
        assert part not in str(error)


def compare_info(info: ResponseInfo, row: dict[str, Any]) -> None:
    only(row, "status", "request_id", "replayed", "rate_limit")
    limit = info.rate_limit
    actual = {
        "status": info.status,
        "request_id": info.request_id,
        "replayed": info.idempotent_replayed,
        "rate_limit": limit
        and {"limit": limit.limit, "remaining": limit.remaining, "reset": limit.resets_at.timestamp()},
    }
    assert {name: actual[name] for name in row} == row


class Caller:
    """Makes the calls of a scenario with one client."""

    def __init__(self, script: Script, row: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        special = {name: row.get(name) for name in ("base_url", "from_environment")}
        options = {"retry": RetryOptions(base_delay=FIRST_BACKOFF)}
        options |= to_options({name: value for name, value in row.items() if name not in special})
        server = script.server
        if special["base_url"] == "closed":
            server.close()
        base_url = server.origin if special["base_url"] == "without_version" else server.base_url
        if special["from_environment"]:
            monkeypatch.setenv("BV_BASE_URL", base_url)
            monkeypatch.setenv("BV_API_KEY", KEY)
            self.driver = script.connect(None, None, **options)
        else:
            self.driver = script.connect(base_url, KEY, **options)
        self.server = server
        self.infos: list[ResponseInfo] = []

    def _call(self, row: dict[str, Any]) -> Any:
        arguments = {snake(name): value for name, value in row.get("params", {}).items()}
        if "body" in row:
            arguments["body"] = row["body"]
        arguments |= {**to_options(row.get("options", {})), "on_response": self.infos.append}
        method, read = snake(row["operation"]), row.get("read")
        if read == "all":
            return self.driver.all(method, **arguments)
        if read == "first_row":
            return self.driver.first_rows(1, method, **arguments)
        if read == "page":
            page = self.driver.page(method, **arguments)
            return {"data": page.data, "next_cursor": page.next_cursor, "has_more": page.has_more}
        assert read is None
        if "abort_at_request" in row:
            reached = threading.Thread(target=self.server.wait_for, args=[row["abort_at_request"]])
            return self.driver.aborted(reached, method, **arguments)
        return self.driver.call(method, **arguments)

    def make(self, row: dict[str, Any]) -> None:
        only(row, "operation", "params", "body", "options", "read", "abort_at_request", "expected")
        expected = only(row["expected"], "result", "result_contains", "error", "response")
        if "error" in expected:
            kind = expected["error"]["kind"]
            with pytest.raises(self.driver.cancellation if kind == "aborted" else KINDS[kind]) as caught:
                self._call(row)
            compare_error(caught.value, expected["error"])
            return
        result = self._call(row)
        if "result" in expected:
            assert result == expected["result"]
        else:
            assert contains(result, expected["result_contains"])
        if "response" in expected:
            compare_info(self.infos[-1], expected["response"])


@pytest.mark.parametrize("written", EXCHANGES["scenarios"], ids=lambda row: row["id"])
def test_exchange(script: Script, written: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    row = fill(only(written, "id", "title", "client", "exchange", "calls"), EXCHANGES["objects"])
    server = script.serve()
    server.steps = [to_step(step["response"], server) for step in row["exchange"]]
    caller = Caller(script, row.get("client", {}), monkeypatch)
    for call in row["calls"]:
        caller.make(call)
    compare_requests(server.requests, row["exchange"])
