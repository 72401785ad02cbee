export type { ApiPromise, WithResponse } from './api-promise.ts';
export { BrandVisibilityClient, type RawRequest } from './client.ts';
export {
  ApiError,
  BrandVisibilityError,
  ConnectionError,
  type ErrorCode,
  isApiError,
  partialFailure,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
export { describeComparison } from './generated/describe-comparison.ts';
export { describeExperiment } from './generated/describe-experiment.ts';
export { describePrecision } from './generated/describe-precision.ts';
export { type OperationId, sdkVersion } from './generated/operations.ts';
export type * from './generated/types.ts';
export type { List, Page } from './list.ts';
export type {
  CallOptions,
  ClientOptions,
  ListOptions,
  Logger,
  ResponseInfo,
  RetryInfo,
  RetryOptions,
  WaitOptions,
  WriteOptions,
} from './options.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from './webhooks.ts';
