"""Runs clients/sdk-scenarios/webhooks.json, and the signer of this package against the verification."""

from __future__ import annotations

import pickle
import time
from typing import Any

import pytest
from scenarios import load, only

from bv_sdk import WebhookVerificationError, sign_webhook, verify_webhook

SECRET = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="  # noqa: S105 -- a secret of the scenarios
EVENT = '{"id":"evt_1","type":"endpoint.ping","data":{"endpoint_id":"é"}}'


def verify(row: dict[str, Any], body: bytes | str) -> Any:
    secrets = row["secrets"]
    secret = secrets[0] if len(secrets) == 1 else secrets
    return verify_webhook(row["delivery"]["headers"], body, secret, now=row["now"])


@pytest.mark.parametrize("row", load("webhooks")["scenarios"], ids=lambda row: row["id"])
def test_delivery(row: dict[str, Any]) -> None:
    only(row, "id", "title", "secrets", "now", "delivery", "expected")
    expected = only(row["expected"], "event", "refusal", "invalid_argument")
    text = only(row["delivery"], "headers", "body")["body"]
    for body in (text, text.encode()):
        if "event" in expected:
            assert verify(row, body) == expected["event"]
        elif "refusal" in expected:
            with pytest.raises(WebhookVerificationError) as refused:
                verify(row, body)
            assert refused.value.reason == expected["refusal"]
        else:
            with pytest.raises(ValueError, match="whsec_"):
                verify(row, body)


@pytest.mark.parametrize(("shift", "side"), [(3_600, "ahead of"), (-3_600, "behind")])
def test_a_wrong_clock_is_named_with_its_difference(shift: float, side: str) -> None:
    headers = sign_webhook(EVENT, SECRET, now=time.time() + shift)
    with pytest.raises(WebhookVerificationError, match=f"s {side} the clock of this machine") as refused:
        verify_webhook(headers, EVENT, SECRET)
    assert refused.value.reason == "timestamp_outside_tolerance"
    assert verify_webhook(headers, EVENT, SECRET, tolerance=4_000)["id"] == "evt_1"


def test_a_signed_delivery_is_verified_and_one_changed_byte_is_not() -> None:
    headers = sign_webhook(EVENT, SECRET)
    event = verify_webhook(headers, EVENT.encode(), SECRET)
    assert event["type"] == "endpoint.ping"
    assert event["data"]["endpoint_id"] == "é"
    for body in (EVENT + " ", EVENT.encode("latin-1")):
        with pytest.raises(WebhookVerificationError) as refused:
            verify_webhook(headers, body, SECRET)
        assert refused.value.reason == "signature_mismatch"


def test_more_signatures_than_a_valid_delivery_has() -> None:
    headers = sign_webhook(EVENT, SECRET)
    headers["webhook-signature"] = " ".join(["v1,AAAA"] * 10 + [headers["webhook-signature"]])
    with pytest.raises(WebhookVerificationError) as refused:
        verify_webhook(headers, EVENT, SECRET)
    assert refused.value.reason == "signature_mismatch"
    assert pickle.loads(pickle.dumps(refused.value)).reason == "signature_mismatch"  # noqa: S301


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_A", "whsec_é"])
def test_an_invalid_secret_is_an_invalid_argument_that_does_not_show_it(secret: str) -> None:
    with pytest.raises(ValueError, match=r"^the secret must be whsec_ followed by base64$"):
        verify_webhook(sign_webhook(EVENT, SECRET), EVENT, secret)


def test_a_parsed_body_is_named() -> None:
    body: Any = {"id": "evt_1"}
    with pytest.raises(TypeError, match="as received, as bytes or text, not a parsed dict"):
        verify_webhook({}, body, SECRET)
