"""Client of the Brand Visibility Data API."""

from . import types
from .client import AsyncBrandVisibilityClient, BrandVisibilityClient
from .comparisons import describe_comparison
from .error_codes import ErrorCode, WebhookEvent, WebhookEventType, error_details
from .errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    BrandVisibilityError,
    UnexpectedResponseError,
    is_api_error,
    partial_failure,
)
from .experiments import describe_experiment
from .lists import AsyncList, List
from .options import RateLimit, ResponseInfo, RetryInfo, RetryOptions
from .page import Page
from .precisions import describe_precision
from .response import Response
from .version import __version__
from .webhooks import WebhookRefusal, WebhookVerificationError, sign_webhook, verify_webhook

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncBrandVisibilityClient",
    "AsyncList",
    "BrandVisibilityClient",
    "BrandVisibilityError",
    "ErrorCode",
    "List",
    "Page",
    "RateLimit",
    "Response",
    "ResponseInfo",
    "RetryInfo",
    "RetryOptions",
    "UnexpectedResponseError",
    "WebhookEvent",
    "WebhookEventType",
    "WebhookRefusal",
    "WebhookVerificationError",
    "__version__",
    "describe_comparison",
    "describe_experiment",
    "describe_precision",
    "error_details",
    "is_api_error",
    "partial_failure",
    "sign_webhook",
    "types",
    "verify_webhook",
]
