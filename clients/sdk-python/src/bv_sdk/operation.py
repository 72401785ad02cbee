from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    """Path below the base URL, with `{name}` for parameters."""
    is_idempotent: bool
    """Whether an `Idempotency-Key` is sent."""
