from __future__ import annotations

import pytest

from bv_sdk.retry_after import MAX_SECONDS, parse_retry_after

NOW = 784_111_760.0  # 17 s before the date below.


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (None, None),
        ("0", 0),
        ("30", 30),
        (" 30 ", 30),
        ("1.2", 2),
        ("99999999999", MAX_SECONDS),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 17),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 17),
        ("Sun Nov  6 08:49:37 1994", 17),
        ("Sun, 06 Nov 1994 09:49:37 +0100", 17),
        ("Sat, 05 Nov 1994 08:49:37 GMT", 0),
        ("soon, 30", 30),
        ("30, 60", 30),
        ("-5", None),
        ("", None),
        ("tomorrow", None),
        ("Sun, 31 Feb 1994 08:49:37 GMT", None),
        ("٣", None),
    ],
)
def test_seconds_and_dates(written: str | None, seconds: float | None) -> None:
    assert parse_retry_after(written, NOW) == seconds
