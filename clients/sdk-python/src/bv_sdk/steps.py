"""What a call asks of its transport. Calls are generators of steps, so that both clients share them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import httpx

from .errors import BrandVisibilityError


@dataclass(frozen=True)
class Send:
    """Sends a request. The outcome is its answer, or the error of an attempt without one."""

    method: str
    url: str
    # `httpx.Headers` hides the key when it is printed.
    headers: httpx.Headers = field(repr=False)
    content: bytes | None = field(repr=False)
    timeout: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Answer:
    status: int
    headers: httpx.Headers
    content: bytes


Step: TypeAlias = "Send | Sleep"
Outcome: TypeAlias = "Answer | BrandVisibilityError | None"
T = TypeVar("T")
Steps: TypeAlias = Generator[Step, Outcome, T]
