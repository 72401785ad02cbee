from __future__ import annotations

import random
from dataclasses import dataclass

from .errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    BrandVisibilityError,
    UnexpectedResponseError,
    is_api_error,
)
from .options import RetryOptions


@dataclass(frozen=True)
class RetryPlan:
    wait: float
    counts: bool = True
    """Whether it counts as one of `max_retries`."""
    is_new_key_needed: bool = False
    """Whether the service has stored the refusal for this key."""


def backoff(attempt: int, retry: RetryOptions) -> float:
    """Exponential backoff with jitter: a random time between half and the whole of the step."""
    step = min(retry.base_delay * 2.0 ** min(attempt - 1, 60), retry.max_delay)
    return step * (0.5 + random.random() / 2)  # noqa: S311 -- jitter needs no secure randomness


def _after(seconds: float | None, attempt: int, retry: RetryOptions) -> float | None:
    """Waits for `Retry-After` plus jitter, so that clients refused together do not retry together."""
    if seconds is None:
        return backoff(attempt, retry)
    if seconds > retry.max_retry_after:
        return None
    return seconds + random.random() * max(retry.base_delay, seconds / 10)  # noqa: S311 -- as above


def plan_retry(  # noqa: PLR0911 -- one return for each rule
    error: BrandVisibilityError, attempt: int, retry: RetryOptions
) -> RetryPlan | None:
    """Plans the retry of a request, or returns `None` if it must not be retried.

    Writes have an idempotency key, so that they are as safe to retry as reads.
    """
    if isinstance(error, (ApiConnectionError, ApiTimeoutError)):
        return RetryPlan(backoff(attempt, retry))
    if not isinstance(error, (ApiError, UnexpectedResponseError)):
        return None
    # Without `Retry-After`. Every attempt is charged, so wait as long as after four failures.
    if is_api_error(error, "idempotency_key_in_flight"):
        return RetryPlan(backoff(4, retry), counts=False)
    wait = _after(error.retry_after, attempt, retry)
    if wait is None:
        return None
    if error.status == 429 or error.status >= 500:  # noqa: PLR2004 -- statuses of HTTP
        return RetryPlan(wait)
    # The scan will end, so only the deadline of the call limits these retries.
    if is_api_error(error, "scan_in_progress"):
        return RetryPlan(wait, counts=False)
    if is_api_error(error, "prompt_writes_busy"):
        return RetryPlan(wait, is_new_key_needed=True)
    return None
