from __future__ import annotations

import math
import re
from datetime import timezone
from email.utils import parsedate_to_datetime

MAX_SECONDS = 2**31
"""Maximum of a number of seconds by RFC 9111 1.2.2: 68 years."""

_DATE = re.compile(r"(?:[A-Za-z]{3,9},? ?)?[A-Za-z0-9 -]{6,20} ?\d{2}:\d{2}:\d{2} ?[A-Za-z0-9+-]{1,6}")


def parse_retry_after(written: str | None, now: float) -> float | None:
    """Seconds to wait by `Retry-After`: a number of seconds, or a date in one of the forms of HTTP.

    Of joined values the first that can be read counts. `None` when none can. `now` is in Unix seconds.
    """
    if written is None:
        return None
    for part in (written, *written.split(",")):
        wait = _parse_one(part.strip(), now)
        if wait is not None:
            return wait
    return None


def _parse_one(value: str, now: float) -> float | None:
    # The RFC does not allow a fraction, but its meaning is clear.
    if re.fullmatch(r"[0-9]{1,20}(\.[0-9]{1,20})?", value):
        return min(math.ceil(float(value)), MAX_SECONDS)
    if not _DATE.fullmatch(value):
        return None
    try:
        date = parsedate_to_datetime(value)
        # A date without a zone, as of asctime, is in GMT.
        seconds = date.replace(tzinfo=date.tzinfo or timezone.utc).timestamp() - now
    except (ValueError, OverflowError):
        return None
    return min(max(0.0, seconds), MAX_SECONDS)
