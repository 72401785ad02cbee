"""What the shared scenarios do not describe: arguments, names of Python, secrecy and the end of attempts."""

from __future__ import annotations

import inspect
import json
import logging
import pickle
import time
import traceback
import uuid
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from fault_server import disconnect, html, page, refuse, respond
from script import BRAND, ORG, PROMPT, Script

from bv_sdk import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AsyncBrandVisibilityClient,
    BrandVisibilityClient,
    RetryInfo,
    RetryOptions,
    UnexpectedResponseError,
    error_details,
    is_api_error,
)

OPENAPI = Path(__file__).parents[3] / "docs/openapi.json"
DONE = respond(200, {"data": {"id": "1"}})
NO_RETRY = RetryOptions(max_retries=0)


def test_every_operation_of_the_document_is_a_method_of_both_clients() -> None:
    document = json.loads(OPENAPI.read_text())
    ids = [row["operationId"] for methods in document["paths"].values() for row in methods.values()]
    names = ["".join(f"_{c.lower()}" if c.isupper() else c for c in one) for one in ids]
    assert names
    for client in (BrandVisibilityClient, AsyncBrandVisibilityClient):
        assert [name for name in names if not callable(getattr(client, name, None))] == []
    for name in names:
        both = [
            inspect.signature(getattr(client, name))
            for client in (BrandVisibilityClient, AsyncBrandVisibilityClient)
        ]
        assert both[0].parameters == both[1].parameters
        assert inspect.getdoc(getattr(BrandVisibilityClient, name))


def test_ids_are_escaped_and_values_of_python_are_written_as_the_api_reads_them(script: Script) -> None:
    server = script.serve(page([], None), DONE, DONE)
    client = script.connect()
    client.all(
        "list_mentions", "a/b?", uuid.UUID(BRAND), from_=date(2026, 11, 1), to="2026-11-21", country="x&y"
    )
    request = server.requests[0]
    assert request.path == f"/v1/orgs/a%2Fb%3F/brands/{BRAND}/mentions"
    assert request.query == {"from": "2026-11-01", "to": "2026-11-21", "country": "x&y"}
    client.call("reprocess_brand", ORG, BRAND)
    client.call("reprocess_brand", ORG, BRAND, {"from": date(2026, 11, 1)})
    assert [json.loads(one.body) for one in server.requests[1:]] == [{}, {"from": "2026-11-01"}]
    with pytest.raises(TypeError, match="set"):
        client.call("reprocess_brand", ORG, BRAND, {"from": {1}})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"base_url": "api.example.com"}, "http"),
        ({"base_url": "ftp://api.example.com"}, "http"),
        ({"base_url": "http://[::1"}, "http"),
        ({"base_url": "https://key@api.example.com/v1"}, "credentials"),
        ({"base_url": "https://api.example.com/v1?x=1"}, "query"),
        ({"api_key": ""}, "api_key is empty"),
        ({"api_key": "bvk_live_x\n"}, "invalid characters"),
        ({"api_key": None}, "BV_API_KEY"),
        ({"base_url": None}, "BV_BASE_URL"),
        ({"timeout": -1}, "timeout"),
        ({"attempt_timeout": "5"}, "attempt_timeout"),
    ],
)
def test_invalid_arguments_of_the_client(
    arguments: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BV_API_KEY", raising=False)
    monkeypatch.delenv("BV_BASE_URL", raising=False)
    given = {"base_url": "https://api.example.com/v1", "api_key": "bvk_live_secret", **arguments}
    for client in (BrandVisibilityClient, AsyncBrandVisibilityClient):
        with pytest.raises(ValueError, match=says) as error:
            client(**given)
        assert "secret" not in str(error.value)


def test_invalid_retries_and_options_of_a_call(script: Script) -> None:
    with pytest.raises(ValueError, match=r"retry\.max_retries"):
        RetryOptions(max_retries=-1)
    with pytest.raises(ValueError, match=r"retry\.base_delay"):
        RetryOptions(base_delay=float("nan"))
    server = script.serve()
    client = script.connect()
    for name, value in {"timeout": -1, "attempt_timeout": -1}.items():
        with pytest.raises(ValueError, match=name):
            client.call("get_org", ORG, **{name: value})
    assert server.requests == []


def test_an_unknown_argument_is_a_type_error_before_anything_is_sent(script: Script) -> None:
    server = script.serve()
    client = script.connect()
    calls: list[tuple[str, tuple[str, ...], str]] = [
        ("list_scores", (ORG, BRAND), "windw"),
        ("list_scores", (ORG, BRAND), "idempotency_key"),
        ("compare_scores", (ORG, BRAND), "from"),
        ("create_prompt", (ORG, BRAND, "body"), "idempotencyKey"),
        ("wait_for_scan", (ORG, BRAND, "job"), "timout"),
        ("request", ("GET", "/orgs"), "parameters"),
    ]
    for method, positional, wrong in calls:
        run = client.all if method == "list_scores" else client.call
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{wrong}'"):
            run(method, *positional, **{wrong: "x"})
    with pytest.raises(ValueError, match="on_stale"):
        client.all("list_scores", ORG, BRAND, on_stale="resart")
    with pytest.raises(TypeError, match="'apikey'"):
        script.connect(apikey="wrong")
    assert server.requests == []


def test_request_returns_the_whole_response_and_warns_of_ignored_parameters(
    script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    ignored = {"x-ignored-parameters": "windw"}
    server = script.serve(respond(200, {"data": [1], "pagination": {}}, ignored), DONE)
    client = script.connect()
    response = client.call("request", "GET", "/orgs", query={"windw": "7d", "none": None})
    assert response.body == {"data": [1], "pagination": {}}
    assert (response.info.method, response.info.status, response.info.attempt) == ("GET", 200, 1)
    assert response.info.url.endswith("/v1/orgs?windw=7d")
    assert response.info.headers["x-ignored-parameters"] == "windw"
    assert "GET /orgs: the API ignored the parameters windw" in caplog.text
    client.call("request", "POST", "/new", body={"a": 1}, idempotency_key="k")
    assert server.requests[1].headers["idempotency-key"] == "k"
    with pytest.raises(ValueError, match="path"):
        client.call("request", "GET", "orgs")


def test_a_data_frame_has_dates(script: Script) -> None:
    # A clean environment has the dependencies of the wheel only.
    pytest.importorskip("pandas")
    row = {"run_date": "2026-11-01", "finalized_at": "2026-11-01T02:00:00.000001Z", "score": 1.5}
    stale = refuse(400, "invalid_cursor", details={"reason": "stale"})
    script.serve(page([row], "c1"), stale, page([row, row], None))
    table = script.connect().frame("list_scores", ORG, BRAND)
    assert [kind.kind for kind in table.dtypes] == ["M", "M", "f"]
    assert len(table) == 2
    assert str(table["finalized_at"].dt.tz) == "UTC"


def test_the_base_url_may_end_with_slashes_and_the_agent_is_named(script: Script) -> None:
    server = script.serve(DONE)
    script.connect(f"{server.base_url}///", user_agent="acme/2").call("get_org", ORG)
    assert server.requests[0].path == f"/v1/orgs/{ORG}"
    assert server.requests[0].headers["user-agent"].startswith("acme/2 bv-sdk-python/")


def test_the_key_is_in_no_log_error_or_printed_object(
    script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    script.serve(disconnect, refuse(503, "api_unavailable"), refuse(401, "invalid_api_key"), html(500))
    client = script.connect(api_key="bvk_live_hidden")
    printed = [repr(client.client), str(vars(client.client))]
    for _ in range(2):
        with pytest.raises((ApiError, UnexpectedResponseError)) as error:
            client.call("get_org", ORG, retry=RetryOptions(max_retries=2, base_delay=0.005))
        trace = traceback.TracebackException.from_exception(error.value, capture_locals=True)
        printed.append("".join(trace.format()))
    assert "getOrg: attempt 1 failed" in caplog.text
    assert "hidden" not in caplog.text + "".join(printed)


def test_refusals_keep_their_parts_when_they_are_pickled(script: Script) -> None:
    script.serve(refuse(409, "brand_exists", details={"existing_id": BRAND}), html(404))
    client = script.connect()
    with pytest.raises(ApiError) as error:
        client.call("create_property", ORG, {"name": "A", "domain": "a.com"})
    copied: ApiError = pickle.loads(pickle.dumps(error.value))  # noqa: S301 -- our own bytes
    assert (copied.code, copied.status, copied.retryable, str(copied)) == (
        *("brand_exists", 409, False),
        "brand_exists: brand_exists",
    )
    details = error_details(copied, "brand_exists")
    assert details == {"existing_id": BRAND}
    assert error_details(copied, "conflict") is None
    assert copied.headers["content-type"] == "application/json"
    assert is_api_error(copied)
    assert not is_api_error(ValueError(), "brand_exists")
    with pytest.raises(UnexpectedResponseError, match="HTML") as other:
        client.call("get_org", ORG)
    assert pickle.loads(pickle.dumps(other.value)).status == 404  # noqa: S301 -- our own bytes


def test_an_unknown_code_is_retryable_by_its_status(script: Script) -> None:
    later = {"retry-after": "120"}
    script.serve(refuse(418, "teapot"), refuse(503, "melted"), refuse(409, "scan_in_progress", later))
    client = script.connect()
    found = []
    for _ in range(3):
        with pytest.raises(ApiError) as error:
            client.call("get_org", ORG, retry=NO_RETRY)
        found.append((error.value.code, error.value.retryable))
    assert found == [("teapot", False), ("melted", True), ("scan_in_progress", True)]


def test_a_wait_past_the_deadline_raises_at_once(script: Script) -> None:
    server = script.serve(refuse(429, "rate_limited", {"retry-after": "30"}))
    started = time.monotonic()
    with pytest.raises(ApiError, match="rate_limited"):
        script.connect().call("get_org", ORG, timeout=20)
    assert time.monotonic() - started < 15
    assert len(server.requests) == 1


def test_on_retry_tells_the_operation_the_attempt_and_the_error(script: Script) -> None:
    script.serve(refuse(503, "api_unavailable", {"retry-after": "0"}), disconnect, DONE)
    retries: list[RetryInfo] = []
    script.connect(on_retry=retries.append).call("get_org", ORG)
    assert [(info.operation, info.attempt) for info in retries] == [("getOrg", 1), ("getOrg", 2)]
    assert isinstance(retries[0].error, ApiError)
    assert isinstance(retries[1].error, ApiConnectionError)


def test_an_answer_that_drips_ends_with_the_attempt(script: Script) -> None:
    server = script.serve()
    server.steps = [server.drip]
    started = time.monotonic()
    with pytest.raises(ApiTimeoutError):
        script.connect().call("get_org", ORG, attempt_timeout=0.3, retry=NO_RETRY)
    assert time.monotonic() - started < 5


def test_pages_tell_their_pass_and_on_restart_is_called(script: Script) -> None:
    stale = refuse(400, "invalid_cursor", details={"reason": "stale"})
    script.serve(page([1], "c1"), stale, page([7], "c2"), page([8], None))
    restarts: list[int] = []
    pages = script.connect().pages(
        "list_mentions", ORG, BRAND, on_stale="restart", on_restart=lambda: restarts.append(1)
    )
    assert [(one.walk, one.data) for one in pages] == [(1, [1]), (2, [7]), (2, [8])]
    assert restarts == [1]


@pytest.mark.parametrize(
    "step",
    [
        respond(200, {"data": []}),
        respond(200, {"data": {}, "pagination": {"next_cursor": None, "has_more": False}}),
        respond(200, {"data": [], "pagination": {"next_cursor": None, "has_more": True}}),
        respond(200, [] * 3),
        html(200),
    ],
    ids=["no pagination", "data that is no list", "more without a cursor", "a list", "HTML"],
)
def test_a_page_that_is_none_raises_instead_of_looping(script: Script, step: Any) -> None:
    server = script.serve(page([1], "c1"), step)
    with pytest.raises(UnexpectedResponseError):
        script.connect().all("list_mentions", ORG, BRAND)
    assert len(server.requests) == 2


def test_a_client_of_the_caller_sends_and_stays_open(script: Script) -> None:
    server = script.serve(DONE)
    with httpx.Client(headers={"x-proxy": "yes"}) as own:
        with BrandVisibilityClient(server.base_url, "k", http_client=own) as client:
            assert client.get_org(ORG)["id"] == "1"
        assert not own.is_closed
    assert server.requests[0].headers["x-proxy"] == "yes"


def test_writes_without_a_body_have_a_length(script: Script) -> None:
    server = script.serve(DONE, respond(201, {"data": {}}))
    client = script.connect()
    client.call("request_scan", ORG, BRAND)
    client.call("create_prompt", ORG, BRAND, PROMPT)
    assert server.requests[0].headers["content-length"] == "0"
    assert "content-type" not in server.requests[0].headers
    assert server.requests[1].headers["content-type"] == "application/json"
