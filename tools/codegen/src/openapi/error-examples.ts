/** An example of every error. The generator validates each against its schema. */
import {
  defaultMatchRules,
  errorCodes,
  type ErrorCode,
  errorDocUrl,
  ErrorEnvelope,
  type Operation,
  type PropertyPartialFailure,
} from '@bv/contract';
import { z } from 'zod';
import { detailsSchema } from './error-codes.ts';

const exampleId = '00000000-0000-4000-8000-000000000000';
const otherId = '00000000-0000-4000-8000-000000000001';

const cap = { tier: 'growth', cap: 5, attempted: 6 };

/** Example details by code. Codes without an entry have no details. */
const exampleDetails: { [Code in ErrorCode]?: unknown } = {
  validation_error: [{ path: 'limit', code: 'too_big', message: 'Too big: expected number to be <=200' }],
  invalid_cursor: { reason: 'filter_changed', parameter: 'platform' },
  duplicate_prompt_text: { texts: ['Which CRM is best?'] },
  no_manual_scans: { manual_scans_remaining: 0, scan_credits: 0 },
  conflict: { existing_id: exampleId },
  brand_exists: { existing_id: exampleId },
  external_ref_exists: { existing_id: exampleId },
  brand_archived: { brand_id: exampleId },
  no_active_prompts: { brand_id: exampleId },
  scan_already_queued: { job_id: exampleId, idempotency_key: 'scan-2026-01-31' },
  reprocess_in_progress: { job_id: exampleId },
  prompt_cap_exceeded: { ...cap, cap: 100, attempted: 101 },
  country_cap_exceeded: {
    ...cap,
    countries_in_use: ['US', 'GB', 'DE', 'FR', 'NL'],
    countries_requested: ['SE'],
  },
  brand_cap_exceeded: { ...cap, cap: 3, attempted: 4 },
  competitor_cap_exceeded: cap,
};

const time = '2026-01-31T09:00:00.000Z';
const identity = { aliases: [], match: defaultMatchRules, warnings: [] };

function partialFailure(code: ErrorCode): PropertyPartialFailure {
  const [applied, refused] = [
    { name: 'Globex', domain: 'globex.com' },
    { name: 'Initech', domain: 'initech.com' },
  ];
  return {
    brand_id: exampleId,
    brand: {
      id: exampleId,
      name: 'Acme',
      domain: 'acme.com',
      is_own: true,
      external_ref: null,
      geography: 'global',
      sunset_at: null,
      created_at: time,
      updated_at: time,
      last_scan_changed_at: null,
      ...identity,
      competitors: [{ id: otherId, ...applied, ...identity }],
      markets: ['US'],
    },
    competitors: [
      { ...applied, status: 'applied', competitor_id: otherId, reused: false },
      { ...refused, status: 'failed', error: { code, message: errorCodes[code].message } },
    ],
  };
}

/** Example details of operations whose details differ. */
const operationExamples: Record<string, { [Code in ErrorCode]?: unknown }> = {
  createProperty: {
    conflict: partialFailure('conflict'),
    competitor_cap_exceeded: partialFailure('competitor_cap_exceeded'),
  },
  linkCompetitor: { conflict: { competitor_id: otherId } },
  createWebhookEndpoint: { conflict: undefined },
};

function toExample(code: ErrorCode, details: unknown, api: Operation['api']): object {
  const { message, retryable } = errorCodes[code];
  const value = {
    error: { code, message, doc_url: errorDocUrl(code), ...(details === undefined ? {} : { details }) },
    request_id: exampleId,
  };
  ErrorEnvelope.parse(value);
  (detailsSchema(code, api) ?? z.never()).optional().parse(details);
  return { summary: message, value, 'x-retryable': retryable };
}

/** One example of each error, referenced by every operation that can return it. */
export function errorExamples(codes: readonly ErrorCode[], api: Operation['api']): Record<string, object> {
  return Object.fromEntries(codes.map((code) => [code, toExample(code, exampleDetails[code], api)]));
}

/** The example of an error in an operation. */
export function errorExample({ id, api }: Operation, code: ErrorCode): object {
  const own = operationExamples[id];
  return own !== undefined && code in own
    ? toExample(code, own[code], api)
    : { $ref: `#/components/examples/${code}` };
}
