from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from .errors import UnexpectedResponseError
from .response import Response

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    data: list[T]
    next_cursor: str | None
    """Cursor of the next page; `None` on the last page."""
    has_more: bool
    request_id: str | None
    walk: int
    """Number of the pass over the list, from 1. Every restart increments it."""


def parse_page(response: Response, cursor: object, walk: int) -> Page[T]:
    """Raises if the pagination would end the list early or never."""
    data = response.body["data"]
    pagination = response.body.get("pagination")
    rest = pagination if isinstance(pagination, dict) else {}
    following, has_more = rest.get("next_cursor"), rest.get("has_more")
    is_last = has_more is False and following is None
    is_continued = has_more is True and isinstance(following, str) and following != cursor
    if not isinstance(data, list) or not (is_last or is_continued):
        info = response.info
        raise UnexpectedResponseError("the response is not a page of a list", info.status, info.request_id)
    return Page(data, following, not is_last, response.info.request_id, walk)
