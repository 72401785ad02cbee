from __future__ import annotations

from typing import Any

from drivers import DRIVERS, Driver
from fault_server import FaultServer, Step

from bv_sdk import RetryOptions

ORG = "5b0a3a34-7f6e-4b53-9a53-3f3f0a6a0d11"
BRAND = "6c0a3a34-7f6e-4b53-9a53-3f3f0a6a0d12"
PROMPT = {"text": "What is the best CRM?", "countries": ["US"]}


class Script:
    """Starts servers with steps, and clients of either kind; all end with the test."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._open: list[FaultServer | Driver] = []
        self.server: FaultServer

    def serve(self, *steps: Step) -> FaultServer:
        self.server = FaultServer(*steps)
        self._open.append(self.server)
        return self.server

    def connect(
        self, base_url: str | None = None, api_key: str | None = "bvk_live_test", **options: Any
    ) -> Driver:
        options.setdefault("retry", RetryOptions(base_delay=0.005))
        driver = DRIVERS[self.kind](base_url or self.server.base_url, api_key, options)
        self._open.append(driver)
        return driver

    def close(self) -> None:
        for one in reversed(self._open):
            one.close()
