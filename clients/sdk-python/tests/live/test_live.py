"""Implements clients/sdk-scenarios/live.json by id, against the running product."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from fault_server import FaultServer, proxy_losing_first_answer, write
from live.customers import Live, eventually
from scenarios import load, only

from bv_sdk import (
    ApiError,
    ResponseInfo,
    RetryOptions,
    WebhookVerificationError,
    error_details,
    partial_failure,
    verify_webhook,
)

Scenario = Callable[[Live], None]
SCENARIOS: dict[str, Scenario] = {}


def scenario(name: str) -> Callable[[Scenario], Scenario]:
    def register(run: Scenario) -> Scenario:
        SCENARIOS[name] = run
        return run

    return register


def refusal(work: Callable[[], Any]) -> ApiError:
    with pytest.raises(ApiError) as error:
        work()
    return error.value


@scenario("live-lists")
def lists(live: Live) -> None:
    brand = live.create_brand()
    texts = [f"{name}?" for name in ("One", "Two", "Three", "Four", "Five")]
    for text in texts:
        live.create_prompt(brand, text)
    words: dict[str, Any] = {"brand_id": brand, "active": True, "limit": 2}
    rows = live.client.all("list_prompts", live.org_id, **words)
    assert [row["text"] for row in rows] == texts
    pages = live.client.pages("list_prompts", live.org_id, **words)
    assert [len(page.data) for page in pages] == [2, 2, 1]
    first = live.client.page("list_prompts", live.org_id, **words)
    assert (first.data, first.has_more) == (rows[:2], True)
    for method in ("list_scores", "list_share_of_voice", "list_sources"):
        assert live.client.all(method, live.org_id, brand) == []


@scenario("live-idempotency")
def idempotency(live: Live) -> None:
    brand, key = live.create_brand(), str(uuid.uuid4())
    infos: list[ResponseInfo] = []
    created = [
        live.create_prompt(brand, "Once?", idempotency_key=key, on_response=infos.append) for _ in range(2)
    ]
    assert created[0] == created[1]
    assert [info.idempotent_replayed for info in infos] == [False, True]
    reuse = refusal(lambda: live.create_prompt(brand, "Other?", idempotency_key=key))
    assert (reuse.status, reuse.code) == (409, "idempotency_key_reuse")
    conflict = refusal(lambda: live.create_prompt(brand, "Once?"))
    details = error_details(conflict, "conflict")
    assert details is not None
    assert (conflict.status, details.get("existing_id")) == (409, created[0]["id"])


@scenario("live-validation")
def validation(live: Live) -> None:
    brand = live.create_brand()
    body = {"text": "Where?", "countries": ["XX"]}
    error = refusal(lambda: live.client.call("create_prompt", live.org_id, brand, body))
    rows = error_details(error, "validation_error")
    assert rows is not None
    assert error.status == 400
    assert any(row["path"].startswith("countries") for row in rows)


@scenario("live-not-found")
def not_found(live: Live) -> None:
    error = refusal(lambda: live.client.call("get_org", str(uuid.uuid4())))
    assert (error.status, error.code) == (404, "not_found")
    assert error.request_id is not None
    assert "/v1" not in str(error)


@scenario("live-wrong-key")
def wrong_key(live: Live) -> None:
    other = live.connect(key=f"{live.customer.key[:-4]}AAAA")
    error = refusal(lambda: other.call("get_org", live.org_id))
    assert (error.status, error.code) == (401, "invalid_api_key")


@scenario("live-missing-version")
def missing_version(live: Live) -> None:
    other = live.connect(base_url=live.customer.base_url.removesuffix("/v1"))
    assert "/v1" in str(refusal(lambda: other.call("get_org", live.org_id)))


@scenario("live-lost-response")
def lost_response(live: Live) -> None:
    brand = live.create_brand()
    with proxy_losing_first_answer(live.customer.base_url) as proxy:
        lossy = live.connect(base_url=proxy.base_url, retry=RetryOptions(base_delay=0.01))
        body = {"text": "Lost?", "countries": ["US"]}
        prompt = lossy.call("create_prompt", live.org_id, brand, body)
        assert len(proxy.requests) >= 2
    assert live.client.all("list_prompts", live.org_id, brand_id=brand) == [prompt]


@scenario("live-partial-failure")
def partly_refused(live: Live) -> None:
    mark = uuid.uuid4().hex[:12]
    competitors = [{"name": f"C{at} {mark}", "domain": f"c{at}-{mark}.com"} for at in range(11)]
    body = {"name": f"Half {mark}", "domain": f"half-{mark}.com", "competitors": competitors}

    def create() -> Any:
        return live.client.call("create_property", live.org_id, body)

    error = refusal(create)
    assert (error.status, error.code) == (422, "competitor_cap_exceeded")
    partial = partial_failure(error)
    assert partial is not None
    assert [one["status"] for one in partial["competitors"]].count("applied") == 10
    exists = refusal(create)
    assert exists.status == 409
    assert error_details(exists, "brand_exists") == {"existing_id": partial["brand_id"]}
    assert partial_failure(exists) is None


@scenario("live-stale-restart")
def stale_restart(live: Live) -> None:
    brand = live.create_brand()
    live.create_prompt(brand, "Walk?")
    live.scan(brand)
    at = ("list_mentions", live.org_id, brand)
    before = eventually(lambda: len(rows := live.client.all(*at)) == 5 and rows)
    restarts: list[int] = []
    changed: list[Any] = []

    def on_response(info: ResponseInfo) -> None:
        """After the first page, the data change before the second is requested."""
        if info.operation == "listMentions" and info.status == 200 and not changed:
            changed.append(other.scan(brand))
            eventually(lambda: other.client.all(*at) != before)

    other = Live(live.customer, "sync")
    read = live.connect(on_response=on_response)
    rows = read.all(*at, limit=2, on_stale="restart", on_restart=lambda: restarts.append(1))
    other.close()
    assert restarts
    assert rows == live.client.all(*at, limit=1000)


@scenario("live-wait-for-scan")
def wait_for_scan(live: Live) -> None:
    brand = live.create_brand()
    live.create_prompt(brand, "Wait?")
    job = live.scan(brand)
    assert job["status"] in {"completed", "partial", "failed"}
    assert job["units"]["total"] > 0


@scenario("live-webhook")
def webhook(live: Live) -> None:
    received: list[tuple[dict[str, str], bytes]] = []

    def accept(handler: BaseHTTPRequestHandler) -> None:
        write(204, b"", {})(handler)

    server = FaultServer(*[accept] * 10)
    partner = live.connect(key=live.customer.partner_key)
    try:
        endpoint = partner.call("create_webhook_endpoint", {"url": f"{server.origin}/hook"})
        server.wait_for(1)
        received = [(dict(one.headers), one.body) for one in server.requests]
    finally:
        server.close()
    headers, body = received[0]
    event = verify_webhook(headers, body, endpoint["secret"])
    assert event["type"] == "endpoint.ping"
    assert event["data"]["endpoint_id"] == endpoint["id"]
    with pytest.raises(WebhookVerificationError) as refused:
        verify_webhook(headers, body, "whsec_AAAA")
    assert refused.value.reason == "signature_mismatch"
    partner.call("delete_webhook_endpoint", endpoint["id"])


ROWS = {row["id"]: only(row, "id", "title", "steps", "expected") for row in load("live")["scenarios"]}


def test_every_scenario_has_an_implementation() -> None:
    assert set(SCENARIOS) == set(ROWS)


@pytest.mark.parametrize("name", SCENARIOS)
def test_live(live: Live, name: str) -> None:
    SCENARIOS[name](live)
