import { z } from 'zod';
import {
  BrandId,
  CapDetails,
  CompetitorCapDetails,
  ConflictDetails,
  CountryCapDetails,
  CursorDetails,
  DuplicateTexts,
  ExistingId,
  NoManualScans,
  OpenReprocess,
  QueuedScan,
  StoredChange,
  ValidationDetail,
} from './error-details.ts';

type ErrorDefinition = {
  status: number;
  message: string;
  /** Whether the same request may succeed if it is repeated unchanged. */
  retryable: boolean;
  details: z.ZodType | null;
};

const define = <T extends Record<string, ErrorDefinition>>(codes: T): T => codes;

/** Every error code of the API, with its status and the shape of its `details`. */
export const errorCodes = define({
  validation_error: {
    status: 400,
    message: 'The request is not valid',
    retryable: false,
    details: z.array(ValidationDetail),
  },
  invalid_cursor: {
    status: 400,
    message: 'The cursor cannot be used here; restart from the first page',
    retryable: false,
    details: CursorDetails,
  },
  invalid_json: { status: 400, message: 'The body is not valid JSON', retryable: false, details: null },
  invalid_body: {
    status: 400,
    message: 'The body cannot be read; send uncompressed UTF-8 JSON',
    retryable: false,
    details: null,
  },
  invalid_request: { status: 400, message: 'The request is not valid HTTP', retryable: false, details: null },
  body_not_allowed: {
    status: 400,
    message: 'GET and HEAD requests carry no body',
    retryable: false,
    details: null,
  },
  text_immutable: {
    status: 400,
    message: 'The text of a prompt cannot be changed',
    retryable: false,
    details: null,
  },
  duplicate_prompt_text: {
    status: 400,
    message: 'The same prompt text occurs more than once in the body',
    retryable: false,
    details: DuplicateTexts,
  },
  invalid_api_key: { status: 401, message: 'The API key is not valid', retryable: false, details: null },
  invalid_operator_token: {
    status: 401,
    message: 'The operator token is not valid',
    retryable: false,
    details: null,
  },
  no_manual_scans: {
    status: 402,
    message: 'No manual scans are left this month and no scan credits',
    retryable: false,
    details: NoManualScans,
  },
  tier_not_entitled: {
    status: 403,
    message: 'The tier of the organisation does not include this',
    retryable: false,
    details: null,
  },
  write_scope_required: {
    status: 403,
    message: 'The key lacks the write scope',
    retryable: false,
    details: null,
  },
  link_scope_insufficient: {
    status: 403,
    message: 'The link to the organisation is read-only',
    retryable: false,
    details: null,
  },
  partner_only: {
    status: 403,
    message: 'The operation is for partner keys only',
    retryable: false,
    details: null,
  },
  not_found: { status: 404, message: 'Not found', retryable: false, details: null },
  cors_disabled: {
    status: 405,
    message: 'CORS is disabled; the API is server-to-server only',
    retryable: false,
    details: null,
  },
  conflict: {
    status: 409,
    message: 'The request conflicts with what exists',
    retryable: false,
    details: ConflictDetails,
  },
  brand_exists: {
    status: 409,
    message: 'An own brand with this domain exists',
    retryable: false,
    details: ExistingId,
  },
  external_ref_exists: {
    status: 409,
    message: 'A brand with this external_ref exists',
    retryable: false,
    details: ExistingId,
  },
  brand_archived: { status: 409, message: 'The brand is archived', retryable: false, details: BrandId },
  no_active_prompts: {
    status: 409,
    message: 'The brand has no active prompt',
    retryable: false,
    details: BrandId,
  },
  scan_already_queued: {
    status: 409,
    message: 'A scan of this brand is already queued or running today',
    retryable: false,
    details: QueuedScan,
  },
  scan_in_progress: {
    status: 409,
    message: 'Results are being finalised; repeat the request after Retry-After seconds',
    retryable: true,
    details: null,
  },
  reprocess_in_progress: {
    status: 409,
    message: 'A reprocess job of this brand is already queued or running',
    retryable: false,
    details: OpenReprocess,
  },
  prompt_writes_busy: {
    status: 409,
    message: 'Another request is writing the prompts of the brand; nothing was changed',
    retryable: true,
    details: null,
  },
  idempotency_key_reuse: {
    status: 409,
    message: 'The idempotency key was used for a different request',
    retryable: false,
    details: null,
  },
  idempotency_key_in_flight: {
    status: 409,
    message: 'A request with this idempotency key is still running',
    retryable: true,
    details: null,
  },
  delivery_in_flight: {
    status: 409,
    message: 'An attempt of the delivery is in progress',
    retryable: true,
    details: null,
  },
  endpoint_disabled: {
    status: 409,
    message: 'The endpoint was disabled by the service operator',
    retryable: false,
    details: null,
  },
  link_revoked: {
    status: 409,
    message: 'The organisation of the event is no longer linked',
    retryable: false,
    details: null,
  },
  key_limit_reached: {
    status: 409,
    message: 'The organisation already has five active keys',
    retryable: false,
    details: null,
  },
  payload_too_large: {
    status: 413,
    message: 'The body is larger than 1 MB',
    retryable: false,
    details: null,
  },
  prompt_cap_exceeded: {
    status: 422,
    message: 'The limit of prompts would be exceeded',
    retryable: false,
    details: CapDetails,
  },
  country_cap_exceeded: {
    status: 422,
    message: 'The limit of countries would be exceeded',
    retryable: false,
    details: CountryCapDetails,
  },
  brand_cap_exceeded: {
    status: 422,
    message: 'The limit of own brands would be exceeded',
    retryable: false,
    details: CapDetails,
  },
  competitor_cap_exceeded: {
    status: 422,
    message: 'The limit of competitors of the brand is reached',
    retryable: false,
    details: CompetitorCapDetails,
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests in this minute',
    retryable: true,
    details: null,
  },
  quota_exceeded: { status: 429, message: 'The monthly quota is spent', retryable: true, details: null },
  headers_too_large: {
    status: 431,
    message: 'The request headers are too large',
    retryable: false,
    details: null,
  },
  internal_error: { status: 500, message: 'Internal error', retryable: true, details: null },
  api_unavailable: {
    status: 503,
    message: 'The service cannot answer now',
    retryable: true,
    details: StoredChange,
  },
  rate_limit_unavailable: {
    status: 503,
    message: 'The request could not be counted and was refused',
    retryable: true,
    details: null,
  },
});

export type ErrorCode = keyof typeof errorCodes;
