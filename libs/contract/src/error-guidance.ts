import type { ErrorCode } from './error-codes.ts';

/** Why a code is returned, and what its receiver can do. Markdown, for the guide of error codes. */
export type Guidance = { cause: string; fix: string };

const wait = 'Repeat the request after `Retry-After` seconds.';
const caps = '`details` has the limit and the attempted number. Remove something, or ask for a larger tier.';

/** Guidance for every error code. The compiler reports a code without one. */
export const errorGuidance: Record<ErrorCode, Guidance> = {
  validation_error: {
    cause: 'A parameter, header or field breaks a rule.',
    fix: 'Correct the fields that `details` lists. Their codes are in a table below.',
  },
  invalid_cursor: {
    cause: 'The cursor belongs to another list, filter or window, or the results changed since.',
    fix: 'Start at the first page. `details.reason` says which case it is.',
  },
  invalid_json: { cause: 'The body is no JSON.', fix: 'Send valid JSON.' },
  invalid_body: {
    cause: 'The body is compressed, is not UTF-8 or has another content type.',
    fix: 'Send UTF-8 JSON without compression, with `Content-Type: application/json`.',
  },
  invalid_request: {
    cause: 'The request breaks a rule of HTTP, such as a missing or second `Host` header.',
    fix: 'Use an HTTP library. Check proxies that change the request.',
  },
  body_not_allowed: { cause: 'A `GET` or `HEAD` request has a body.', fix: 'Send it without a body.' },
  text_immutable: {
    cause: '`text` is in an update of a prompt.',
    fix: 'Create another prompt and deactivate this one. The history stays with the old text.',
  },
  duplicate_prompt_text: {
    cause: 'Two rows of a sync have the same text. Case and outer spaces do not count.',
    fix: 'Send each text once. `details.texts` lists them.',
  },
  invalid_api_key: {
    cause: 'The key is missing, unknown, expired or revoked.',
    fix: 'Do not retry. Check the header `Authorization: Bearer`, then ask the operator for a key.',
  },
  invalid_operator_token: {
    cause: 'The token of the operator API is missing or unknown.',
    fix: 'Use the token of the installation.',
  },
  no_manual_scans: {
    cause: 'The scans of the month are used up, and there are no scan credits.',
    fix: 'Wait for the next UTC month, or ask the operator for scan credits.',
  },
  tier_not_entitled: {
    cause: 'The tier of the organisation has no API access, or no scans on request.',
    fix: 'Ask the operator for another tier.',
  },
  write_scope_required: {
    cause: 'A write with a key that can only read.',
    fix: 'Use a key with the scope `write`. `GET /v1/key` shows the scopes.',
  },
  link_scope_insufficient: {
    cause: 'A partner writes to an organisation that is linked as `read_only`.',
    fix: 'Ask the operator for a `read_write` link.',
  },
  partner_only: {
    cause: 'An organisation key calls an operation of partners.',
    fix: 'Use a partner key.',
  },
  not_found: {
    cause: 'The path, the id or the method does not exist, or this key cannot reach it.',
    fix: 'Check the path, which begins with `/v1`, and the ids. Check the link of the organisation.',
  },
  cors_disabled: {
    cause: 'A browser sent a CORS preflight: `OPTIONS` with `Origin`.',
    fix: 'Call the API from a server. A key in a browser is public.',
  },
  conflict: {
    cause:
      'The object exists: a prompt with this text, or a competitor with this domain. Or a limit is reached, or an experiment has ended: the message says so.',
    fix: 'Use the object that `details` names.',
  },
  brand_exists: {
    cause: 'An own brand with this domain exists in the organisation.',
    fix: 'Use the brand `details.existing_id`.',
  },
  external_ref_exists: {
    cause: 'Another brand of the organisation has this `external_ref`.',
    fix: 'Use the brand `details.existing_id`, or another reference.',
  },
  brand_archived: {
    cause: 'The brand is archived: it is read, but not measured or extended.',
    fix: 'Ask the operator to restore it.',
  },
  no_active_prompts: {
    cause: 'A scan is requested for a brand without an active prompt.',
    fix: 'Create or activate a prompt.',
  },
  scan_already_queued: {
    cause: 'A scan of the brand is queued or running.',
    fix: 'Wait for the scan `details.job_id`.',
  },
  scan_in_progress: { cause: 'Results are finalised at this moment.', fix: wait },
  reprocess_in_progress: {
    cause: 'A reprocess job of the brand is queued or running.',
    fix: 'Wait for the job `details.job_id`.',
  },
  prompt_writes_busy: {
    cause: 'Another request writes the prompts of the brand. Nothing was changed.',
    fix: 'Repeat the request with a new `Idempotency-Key`.',
  },
  idempotency_key_reuse: {
    cause: 'The key was used for a request with another path or body.',
    fix: 'Use a new key for each new request. Repeat the same request with the same key.',
  },
  idempotency_key_in_flight: {
    cause: 'The first request with this key has no response yet.',
    fix: wait,
  },
  delivery_in_flight: {
    cause: 'An attempt of the delivery is in progress.',
    fix: 'Wait for its end, then repeat the request with a new `Idempotency-Key`.',
  },
  endpoint_disabled: {
    cause: 'The operator has disabled the endpoint.',
    fix: 'Ask the operator.',
  },
  link_revoked: {
    cause: 'The organisation of the event is no longer linked to the partner.',
    fix: 'The event cannot be sent again. Ask the operator for a link.',
  },
  key_limit_reached: {
    cause: 'The organisation has five active keys.',
    fix: 'Have an unused key revoked.',
  },
  payload_too_large: {
    cause: 'The body is larger than 1 MB.',
    fix: 'Send smaller bodies, such as fewer rows of a sync.',
  },
  prompt_cap_exceeded: { cause: 'More prompts than the tier allows.', fix: caps },
  country_cap_exceeded: {
    cause: 'More countries than the tier allows, over all active prompts of the organisation.',
    fix: caps,
  },
  brand_cap_exceeded: { cause: 'More own brands than the tier allows.', fix: caps },
  competitor_cap_exceeded: { cause: 'More competitors of the brand than the tier allows.', fix: caps },
  rate_limited: {
    cause: 'The requests of this minute are used up, or an address sent 20 wrong keys.',
    fix: wait,
  },
  quota_exceeded: {
    cause: 'The monthly quota of the key is used up.',
    fix: 'Wait for the next UTC month, or ask the operator for a larger quota.',
  },
  headers_too_large: {
    cause: 'The headers or the URL are larger than 16 kB.',
    fix: 'Send less. Cursors are to be sent unchanged.',
  },
  internal_error: {
    cause: 'A fault of the API.',
    fix: 'Repeat the request, a write with its `Idempotency-Key`. Report the `request_id` if it stays.',
  },
  api_unavailable: { cause: 'A part of the API does not respond.', fix: wait },
  rate_limit_unavailable: {
    cause: 'The request could not be counted, so it was refused.',
    fix: wait,
  },
};

/** Guidance for the codes of `details` in a `validation_error`. */
export const validationGuidance: Record<string, Guidance> = {
  invalid_type: { cause: 'Missing, or of another type.', fix: 'Send the field in its type.' },
  too_small: {
    cause: 'Below the minimum of length, number or entries.',
    fix: 'The message has the minimum.',
  },
  too_big: { cause: 'Above the maximum of length, number or entries.', fix: 'The message has the maximum.' },
  invalid_format: {
    cause: 'Not a UUID, date, time or readable text, as the field needs.',
    fix: 'Send the format that the reference names.',
  },
  invalid_value: { cause: 'None of the listed values.', fix: 'The message lists the values.' },
  unrecognized_keys: { cause: 'A field that the body does not have.', fix: 'Remove it. Check the spelling.' },
  invalid_union: { cause: 'The value fits none of the forms of the field.', fix: 'See the reference.' },
  empty_patch: { cause: 'An update without a field.', fix: 'Send at least one field.' },
  immutable: { cause: 'The field cannot be changed, such as `domain`.', fix: 'Leave it out.' },
  own_brand_only: {
    cause: 'A competitor, or a field that only own brands have.',
    fix: 'Use the id of an own brand (`is_own: true`).',
  },
  competitor_is_self: {
    cause: 'A competitor with the domain of the own brand.',
    fix: 'Send the domain of another company.',
  },
  invalid_domain: {
    cause: 'No registrable domain.',
    fix: 'Send a host such as `acme.com`, without a path.',
  },
  unsupported_country: {
    cause: 'The country is no market of this installation.',
    fix: 'See the markets in the guide of limits, or ask the operator.',
  },
  invalid_date: { cause: 'No real calendar date.', fix: 'Send `YYYY-MM-DD`.' },
  window_inverted: { cause: '`from` is after `to`.', fix: 'Swap them.' },
  window_too_wide: {
    cause: 'More days than the operation allows.',
    fix: 'Send several requests with smaller windows.',
  },
  windows_overlap: { cause: 'The compared windows share a day.', fix: 'End one before the other starts.' },
  prompts_overlap: {
    cause: 'A prompt is in both arms of an experiment.',
    fix: 'Choose arms that share no prompt and no tag.',
  },
  too_few: { cause: 'An arm of an experiment with fewer than five prompts.', fix: 'Add prompts to the arm.' },
  not_found: { cause: 'The id of a prompt that the brand does not have.', fix: 'Use ids of listPrompts.' },
  too_far: {
    cause: 'A day more than 366 days before or after today.',
    fix: 'Send a day within a year of today.',
  },
  invalid_header: {
    cause: 'An `Idempotency-Key` that is empty or too long, or two different ones.',
    fix: 'Send one key of 1 to 255 characters.',
  },
  url_not_public: {
    cause: 'The URL of an endpoint is no public address, or its host does not exist.',
    fix: 'Send an `https` URL whose host has public addresses only.',
  },
};
