"""Customers of the running product. The variables are those that test/python/try-python-sdk.ts sets."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
from drivers import DRIVERS, Driver

T = TypeVar("T")


@dataclass(frozen=True)
class Customer:
    base_url: str
    org_id: str
    key: str = field(repr=False)
    partner_key: str = field(repr=False)


def eventually(check: Callable[[], T], timeout: float = 60.0) -> T:
    """The first truthy value of the check."""
    end = time.monotonic() + timeout
    while True:
        value = check()
        if value:
            return value
        assert time.monotonic() < end, f"still {value!r} after {timeout} s"
        time.sleep(0.2)


def create_customer() -> Customer:
    """An organisation with a key, and a partner that is linked to it."""
    headers = {"authorization": f"Bearer {os.environ['BV_OPERATOR_TOKEN']}"}
    with httpx.Client(base_url=os.environ["BV_OPERATOR_URL"], headers=headers, timeout=30) as operator:

        def operate(method: str, path: str, body: dict[str, Any]) -> Any:
            return operator.request(method, path, json=body).raise_for_status().json()["data"]

        scopes = {"scopes": ["read", "write"], "per_minute": 1_000_000}
        org = operate("POST", "/orgs", {"name": f"Python {uuid.uuid4()}", "tier": "scale"})["id"]
        key = operate("POST", f"/orgs/{org}/keys", scopes)["key"]
        partner = operate("POST", "/partners", {"name": f"Python {uuid.uuid4()}"})["id"]
        operate("PUT", f"/partners/{partner}/links/{org}", {"scope": "read_write"})
        partner_key = operate("POST", f"/partners/{partner}/keys", scopes)["key"]
    return Customer(os.environ["BV_BASE_URL"], org, key, partner_key)


class Live:
    """Connects clients of one kind to the product; all end with the test."""

    def __init__(self, customer: Customer, kind: str) -> None:
        self.customer = customer
        self.kind = kind
        self.org_id = customer.org_id
        self._open: list[Driver] = []
        self.client = self.connect()

    def connect(self, *, key: str | None = None, base_url: str | None = None, **options: Any) -> Driver:
        driver = DRIVERS[self.kind](base_url or self.customer.base_url, key or self.customer.key, options)
        self._open.append(driver)
        return driver

    def create_brand(self, **body: Any) -> str:
        domain = f"{uuid.uuid4().hex}-example.com"
        brand: str = self.client.call(
            "create_property", self.org_id, {"name": f"Brand {domain[:8]}", "domain": domain, **body}
        )["id"]
        return brand

    def create_prompt(self, brand: str, text: str, **options: Any) -> Any:
        return self.client.call(
            "create_prompt", self.org_id, brand, {"text": text, "countries": ["US"]}, **options
        )

    def scan(self, brand: str) -> Any:
        job = self.client.call("request_scan", self.org_id, brand)["job_id"]
        return self.client.call("wait_for_scan", self.org_id, brand, job, timeout=120, poll_interval=0.3)

    def close(self) -> None:
        for one in self._open:
            one.close()
