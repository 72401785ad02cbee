"""Errors of the client. Invalid arguments raise `ValueError` before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from .error_codes import RETRYABLE, ErrorCode
from .types import PropertyPartialFailure


class BrandVisibilityError(Exception):
    """Base class of the errors of this package."""


class ApiError(BrandVisibilityError):
    """An error response of the API. Branch on `code`: the wording of the message may change."""

    def __init__(  # noqa: PLR0913, PLR0917 -- one argument for each part of an error response
        self,
        code: str,
        status: int,
        message: str,
        details: Any = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{code}: {_explain(message, details)}")
        self.code = code
        self.status = status
        self.details = details
        """The shape depends on `code`; `error_details` returns it with its type."""
        self.request_id = request_id
        self.retry_after = retry_after
        """Seconds of `Retry-After`."""
        self.headers = headers or {}
        """Headers of the response, by their names in lower case."""

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later. For an unknown code the status decides."""
        return RETRYABLE.get(self.code, _is_retried(self.status))

    def __reduce__(self) -> tuple[Any, ...]:
        # The default passes the message alone, so that an error of a worker process could not be read.
        return _restore, (type(self), self.__dict__.copy(), self.args)


class ApiConnectionError(BrandVisibilityError):
    """No response arrived: no server, no network, or a lost connection. A write may have been applied."""


class ApiTimeoutError(BrandVisibilityError):
    """An attempt or the call timed out. A write may have been applied."""


class UnexpectedResponseError(BrandVisibilityError):
    """The response is not from this API. Usual causes are a wrong base URL or a proxy."""

    def __init__(
        self, message: str, status: int, request_id: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.__dict__.copy(), self.args)


def _restore(kind: type[BrandVisibilityError], state: dict[str, Any], args: tuple[Any, ...]) -> Any:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def _is_retried(status: int) -> bool:
    return status == 429 or status >= 500  # noqa: PLR2004 -- statuses of HTTP


def _explain(message: str, details: object) -> str:
    """Adds the invalid fields to the message, because logs often keep only the message."""
    if not isinstance(details, list):
        return message
    rows = [row for row in details if isinstance(row, dict) and "path" in row and "message" in row][:3]
    return "; ".join([message, *(f"{row['path'] or 'body'}: {row['message']}" for row in rows)])


def is_api_error(error: BaseException | None, *codes: ErrorCode) -> bool:
    """Whether the error is an `ApiError`, with one of the codes if any are passed."""
    return isinstance(error, ApiError) and (not codes or error.code in codes)


def is_stale(error: BaseException | None) -> bool:
    """Whether a list must restart because the data changed."""
    if not isinstance(error, ApiError) or error.code != "invalid_cursor":
        return False
    return isinstance(error.details, dict) and error.details.get("reason") == "stale"


def partial_failure(error: BaseException | None) -> PropertyPartialFailure | None:
    """What `create_property` created before it was refused, if anything.

    Link the failed competitors instead of repeating the call.
    """
    details: Any = error.details if isinstance(error, ApiError) else None
    if not isinstance(details, dict) or not {"brand_id", "competitors"} <= details.keys():
        return None
    return cast(PropertyPartialFailure, details)
