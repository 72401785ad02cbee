# Generated from docs/openapi.json by scripts/generate.py; changes belong in libs/contract.

from __future__ import annotations

from typing import Any, Literal, TypeAlias, overload

from . import types

ErrorCode: TypeAlias = Literal[
    "body_not_allowed",
    "duplicate_prompt_text",
    "invalid_body",
    "invalid_cursor",
    "invalid_json",
    "invalid_request",
    "text_immutable",
    "validation_error",
    "invalid_api_key",
    "no_manual_scans",
    "link_scope_insufficient",
    "partner_only",
    "tier_not_entitled",
    "write_scope_required",
    "not_found",
    "cors_disabled",
    "brand_archived",
    "brand_exists",
    "conflict",
    "delivery_in_flight",
    "endpoint_disabled",
    "external_ref_exists",
    "idempotency_key_in_flight",
    "idempotency_key_reuse",
    "link_revoked",
    "no_active_prompts",
    "prompt_writes_busy",
    "reprocess_in_progress",
    "scan_already_queued",
    "scan_in_progress",
    "payload_too_large",
    "brand_cap_exceeded",
    "competitor_cap_exceeded",
    "country_cap_exceeded",
    "prompt_cap_exceeded",
    "quota_exceeded",
    "rate_limited",
    "headers_too_large",
    "internal_error",
    "api_unavailable",
    "rate_limit_unavailable",
]
"""Further codes may follow."""

RETRYABLE: dict[str, bool] = {
    "body_not_allowed": False,
    "duplicate_prompt_text": False,
    "invalid_body": False,
    "invalid_cursor": False,
    "invalid_json": False,
    "invalid_request": False,
    "text_immutable": False,
    "validation_error": False,
    "invalid_api_key": False,
    "no_manual_scans": False,
    "link_scope_insufficient": False,
    "partner_only": False,
    "tier_not_entitled": False,
    "write_scope_required": False,
    "not_found": False,
    "cors_disabled": False,
    "brand_archived": False,
    "brand_exists": False,
    "conflict": False,
    "delivery_in_flight": True,
    "endpoint_disabled": False,
    "external_ref_exists": False,
    "idempotency_key_in_flight": True,
    "idempotency_key_reuse": False,
    "link_revoked": False,
    "no_active_prompts": False,
    "prompt_writes_busy": True,
    "reprocess_in_progress": False,
    "scan_already_queued": False,
    "scan_in_progress": True,
    "payload_too_large": False,
    "brand_cap_exceeded": False,
    "competitor_cap_exceeded": False,
    "country_cap_exceeded": False,
    "prompt_cap_exceeded": False,
    "quota_exceeded": True,
    "rate_limited": True,
    "headers_too_large": False,
    "internal_error": True,
    "api_unavailable": True,
    "rate_limit_unavailable": True,
}
"""Whether the same request may succeed later."""

WebhookEvent: TypeAlias = (
    types.ScanCompletedEvent
    | types.ScoreThresholdCrossedEvent
    | types.SentimentThresholdCrossedEvent
    | types.ScoreChangedEvent
    | types.ExperimentCompletedEvent
    | types.EndpointPingEvent
)
"""Discriminated by `type`. Further types may follow: return 2xx for them."""

WebhookEventType: TypeAlias = Literal[
    "scan.completed",
    "score.threshold_crossed",
    "sentiment.threshold_crossed",
    "score.changed",
    "experiment.completed",
    "endpoint.ping",
]


@overload
def error_details(
    error: BaseException | None, code: Literal["duplicate_prompt_text"]
) -> types.DuplicateTextRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["invalid_cursor"]
) -> types.CursorRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["validation_error"]
) -> list[types.ValidationDetail] | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["no_manual_scans"]
) -> types.NoManualScansRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["brand_archived", "no_active_prompts"]
) -> types.BrandRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["brand_exists", "external_ref_exists"]
) -> types.ExistingIdRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["conflict"]
) -> types.PropertyPartialFailure | types.ConflictRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["reprocess_in_progress"]
) -> types.ReprocessRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["scan_already_queued"]
) -> types.ScanQueuedRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["brand_cap_exceeded", "prompt_cap_exceeded"]
) -> types.CapRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["competitor_cap_exceeded"]
) -> types.PropertyPartialFailure | types.CompetitorCapRefusal | None: ...


@overload
def error_details(
    error: BaseException | None, code: Literal["country_cap_exceeded"]
) -> types.CountryCapRefusal | None: ...


@overload
def error_details(error: BaseException | None, code: str) -> Any: ...


def error_details(error: BaseException | None, code: str) -> Any:
    """The `details` of an `ApiError` with this code. `None` for any other error, or without details."""
    if getattr(error, "code", None) != code:
        return None
    return getattr(error, "details", None)
