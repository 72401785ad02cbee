from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from drivers import DRIVERS
from live.customers import Customer, Live, create_customer


@pytest.fixture
def customer() -> Customer:
    if "BV_OPERATOR_URL" not in os.environ:
        pytest.skip("no running product; test/python/try-python-sdk.ts starts one")
    return create_customer()


@pytest.fixture(params=sorted(DRIVERS))
def live(customer: Customer, request: pytest.FixtureRequest) -> Iterator[Live]:
    connected = Live(customer, request.param)
    yield connected
    connected.close()
