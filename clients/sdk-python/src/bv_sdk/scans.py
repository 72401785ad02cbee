from __future__ import annotations

import time

from .calls import Calls
from .errors import ApiTimeoutError
from .operations import OPERATIONS
from .options import AttemptOptions, CallOptions, check_range
from .steps import Sleep, Steps
from .types import ScanJob

ENDED = {"completed", "partial", "failed", "cancelled"}
READ_TIMEOUT = 120.0
"""Deadline of one read in seconds, with its retries."""


def wait_for_scan(
    calls: Calls, path: dict[str, str], timeout: float, poll_interval: float, options: AttemptOptions
) -> Steps[ScanJob]:
    """Reads the scan until it has ended. Raises `ApiTimeoutError` after `timeout` seconds."""
    deadline = time.monotonic() + check_range("timeout", timeout)
    check_range("poll_interval", poll_interval)
    while True:
        rest = max(deadline - time.monotonic(), 0.0)
        read: CallOptions = {**options, "timeout": min(rest, READ_TIMEOUT)}
        response = yield from calls.call(OPERATIONS["getScan"], path, {}, None, read)
        job: ScanJob = response.body["data"]
        if job["status"] in ENDED:
            return job
        if time.monotonic() + poll_interval >= deadline:
            raise ApiTimeoutError(f"the scan {job['job_id']} is {job['status']} after {timeout:g} s")
        yield Sleep(poll_interval)
