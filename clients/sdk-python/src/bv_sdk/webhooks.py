"""Verification of webhook deliveries (Standard Webhooks 1.0)."""

from __future__ import annotations

import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Literal, TypeAlias, cast

from standardwebhooks.webhooks import Webhook

from .error_codes import WebhookEvent
from .errors import BrandVisibilityError

WebhookRefusal: TypeAlias = Literal[
    "missing_header", "timestamp_outside_tolerance", "signature_mismatch", "invalid_payload"
]

MAX_SIGNATURES = 10
"""Two secrets sign for a day after a rotation. No valid delivery has more than a few signatures."""


class WebhookVerificationError(BrandVisibilityError):
    """The request is not a valid delivery of the service. Return 400 and ignore it."""

    def __init__(self, reason: WebhookRefusal, message: str) -> None:
        super().__init__(message)
        self.reason: WebhookRefusal = reason

    def __reduce__(self) -> tuple[type[WebhookVerificationError], tuple[WebhookRefusal, str]]:
        return type(self), (self.reason, str(self))


def _header(headers: Mapping[str, str], name: str) -> str:
    value = next((one for key, one in headers.items() if key.lower() == name), None)
    if not isinstance(value, str) or not value:
        raise WebhookVerificationError("missing_header", f"the delivery has no {name}")
    return value


def _check_timestamp(written: str, tolerance: float, now: float) -> datetime:
    if not re.fullmatch(r"[0-9]{1,12}", written):
        raise WebhookVerificationError(
            "timestamp_outside_tolerance", "webhook-timestamp is not a number of Unix seconds"
        )
    seconds = int(written)
    distance = seconds - now
    if abs(distance) > tolerance:
        side = "ahead of" if distance > 0 else "behind"
        raise WebhookVerificationError(
            "timestamp_outside_tolerance",
            f"the timestamp of the delivery is {abs(distance):.0f} s {side} the clock of this machine, "
            f"more than {tolerance:g} s; synchronise the clock, or ignore a repeated delivery",
        )
    return datetime.fromtimestamp(seconds, timezone.utc)


def _signer(secret: str) -> Webhook:
    try:
        return Webhook(secret)
    except Exception as error:
        # The package raises several errors for an invalid secret, some of which show it.
        raise ValueError("the secret must be whsec_ followed by base64") from error.__cause__


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes | str,
    secret: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a delivery and returns its event. Pass both secrets for the day after a rotation.

    `body` is as received: a parsed body that is serialised again has another signature. `tolerance` is the
    maximum difference in seconds between the timestamp of the delivery and now. Deliveries may repeat: handle
    each `event["id"]` once.
    """
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise TypeError(f"pass the body as received, as bytes or text, not a parsed {type(body).__name__}")
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature").split(" ")[:MAX_SIGNATURES]
    sent_at = _check_timestamp(timestamp, tolerance, time.time() if now is None else now)
    signers = [_signer(one) for one in ([secret] if isinstance(secret, str) else secret)]
    try:
        text = body if isinstance(body, str) else bytes(body).decode()
        expected = [signer.sign(message_id, sent_at, text).encode() for signer in signers]
    except UnicodeError:
        # The service sends UTF-8 only.
        expected = []
    given = [one.encode(errors="replace") for one in signatures]
    matches = [hmac.compare_digest(one, other) for one in expected for other in given]
    if not any(matches):
        raise WebhookVerificationError(
            "signature_mismatch", "no signature of the delivery matches the secret; pass the body as received"
        )
    return _parse_event(text)


def _parse_event(text: str) -> WebhookEvent:
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict) or not all(isinstance(event.get(name), str) for name in ("id", "type")):
        raise WebhookVerificationError(
            "invalid_payload", "the signature is valid, but the body is not an event"
        )
    return cast(WebhookEvent, event)


def sign_webhook(
    body: bytes | str, secret: str, *, message_id: str = "test", now: float | None = None
) -> dict[str, str]:
    """Headers of a delivery with this body, for tests of a receiver."""
    sent_at = datetime.fromtimestamp(int(time.time() if now is None else now), timezone.utc)
    text = body if isinstance(body, str) else body.decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(sent_at.timestamp())),
        "webhook-signature": _signer(secret).sign(message_id, sent_at, text),
    }
