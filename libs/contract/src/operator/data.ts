import { z } from 'zod';
import { operatorOperation } from '../operation.ts';
import { BooleanFilter, noParams, noQuery, PageQuery, resourceId, WrittenDate } from '../parameters.ts';
import { Brand } from '../resources/brand.ts';
import { ScanJob } from '../resources/scan.ts';
import { Count, Timestamp } from '../scalars.ts';
import { DeadEvent, DeadEventDetail, ImportSummary, RepublishedEvents } from './resources.ts';

const BrandIdParams = z.object({ brandId: resourceId('brand') });

export const operatorArchiveBrand = operatorOperation({
  id: 'operatorArchiveBrand',
  service: 'catalog',
  method: 'POST',
  path: '/brands/{brandId}/archive',
  summary: 'Archive a brand',
  description:
    'The brand stays readable and is no longer scanned. A scan that has not started is cancelled and refunded.',
  params: BrandIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Brand },
});

export const operatorRestoreBrand = operatorOperation({
  id: 'operatorRestoreBrand',
  service: 'catalog',
  method: 'POST',
  path: '/brands/{brandId}/restore',
  summary: 'Restore an archived brand; refused where a limit would be exceeded',
  description: 'Its active prompts count towards the limits of the organisation again.',
  params: BrandIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Brand },
  errors: ['prompt_cap_exceeded', 'country_cap_exceeded', 'brand_cap_exceeded'],
});

export const operatorRunScan = operatorOperation({
  id: 'operatorRunScan',
  service: 'scans',
  method: 'POST',
  path: '/brands/{brandId}/scans',
  summary: 'Run a scheduled scan of a brand now',
  description: 'Runs like the daily scan. It uses neither a manual scan nor a scan credit.',
  params: BrandIdParams,
  query: noQuery,
  body: null,
  success: { status: 201, kind: 'item', data: ScanJob },
  errors: ['brand_archived', 'no_active_prompts', 'scan_already_queued'],
});

export const operatorImportResults = operatorOperation({
  id: 'operatorImportResults',
  service: 'results',
  method: 'POST',
  path: '/results/import',
  summary: 'Import finalised units, one JSON object a line',
  description:
    'Each line is stored or refused on its own. Idempotent by unit_id. Refused, each line by its number: a run_date before 2015-01-01 or after today (UTC), a finalized_at more than a day after now, and a country that is not a market. A line with the outcome failed counts as skipped and is not stored. Sends no webhooks.',
  params: noParams,
  query: z.object({
    allow_unknown_markets: BooleanFilter.describe('Also import countries that are not markets.'),
  }),
  body: null,
  bodyKind: 'ndjson',
  success: {
    status: 201,
    kind: 'item',
    data: ImportSummary,
  },
});

export const operatorCountBrandUnits = operatorOperation({
  id: 'operatorCountBrandUnits',
  service: 'results',
  method: 'GET',
  path: '/brands/{brandId}/units/count',
  summary: 'Count the stored units of a window of days',
  description: 'Both ends are inclusive, at most 366 days. Shows what operatorDeleteBrandUnits would delete.',
  params: BrandIdParams,
  query: z.object({
    from: WrittenDate.describe('First day of the window (UTC), included.').meta({ examples: ['2026-11-01'] }),
    to: WrittenDate.describe('Last day of the window (UTC), included.').meta({ examples: ['2026-11-20'] }),
  }),
  body: null,
  success: {
    status: 200,
    kind: 'item',
    data: z
      .strictObject({
        imported: Count.describe('Units of imports, which can be deleted.'),
        scanned: Count.describe('Units of scans, which stay.'),
      })
      .meta({ id: 'BrandUnits' }),
  },
});

export const operatorDeleteBrandUnits = operatorOperation({
  id: 'operatorDeleteBrandUnits',
  service: 'results',
  method: 'POST',
  path: '/brands/{brandId}/units/delete',
  summary: 'Delete the imported units of a window of days',
  description:
    'Both ends are inclusive, at most 366 days. Scores, share of voice and sources of each day are computed again, a day at a time. Units of scans stay. A deleted unit_id can be imported again.',
  params: BrandIdParams,
  query: noQuery,
  body: z.object({
    from: WrittenDate.describe('First day of the window (UTC), included.'),
    to: WrittenDate.describe('Last day of the window (UTC), included.'),
    import_only: z.literal(true).describe('Units of scans cannot be deleted, so only true is accepted.'),
  }),
  success: {
    status: 200,
    kind: 'item',
    data: z
      .strictObject({ deleted: Count.describe('Units that were deleted.') })
      .meta({ id: 'DeletedUnits' }),
  },
});

export const operatorListDeadEvents = operatorOperation({
  id: 'operatorListDeadEvents',
  service: 'gateway',
  method: 'GET',
  path: '/dead-events',
  summary: 'List dead-letter events, newest first',
  description:
    'Messages that a consumer could not handle, one row per message and consumer. Applied and dismissed ones are not listed. Ordered by `created_at`, newest first.',
  params: noParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: DeadEvent },
});

const DeadEventIdParams = z.object({ deadEventId: resourceId('dead-letter event') });

export const operatorGetDeadEvent = operatorOperation({
  id: 'operatorGetDeadEvent',
  service: 'gateway',
  method: 'GET',
  path: '/dead-events/{deadEventId}',
  summary: 'Read a dead-letter event with its message and its whole error',
  description: 'It is readable in every state, also after it was applied or dismissed.',
  params: DeadEventIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: DeadEventDetail },
});

export const operatorRedriveDeadEvent = operatorOperation({
  id: 'operatorRedriveDeadEvent',
  service: 'gateway',
  method: 'POST',
  path: '/dead-events/{deadEventId}/redrive',
  summary: 'Send a dead-letter event to its consumer again',
  description:
    'Waits up to 8 seconds for the outcome. Status `applied`: it succeeded. `dead`: it failed again. `redriven`: no outcome yet, because the consumer retries it or does not run. A redrive is repeated only when it has had no outcome for 15 minutes.',
  params: DeadEventIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: DeadEvent },
});

export const operatorDismissDeadEvent = operatorOperation({
  id: 'operatorDismissDeadEvent',
  service: 'gateway',
  method: 'POST',
  path: '/dead-events/{deadEventId}/dismiss',
  summary: 'Remove a dead-letter event from the list',
  description: 'The event stays readable by its id. If it fails again, it is listed again.',
  params: DeadEventIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: DeadEvent },
});

export const operatorRepublishEvents = operatorOperation({
  id: 'operatorRepublishEvents',
  service: 'gateway',
  method: 'POST',
  path: '/events/republish',
  summary: 'Send again what every service sent since then, after the broker lost it',
  description:
    'Returns how many events each service sends again. Consumers skip those that they have applied, so it can be repeated. Events are kept for seven days.',
  params: noParams,
  query: noQuery,
  body: z.object({ since: Timestamp.describe('Events since this moment are sent again.') }),
  success: {
    status: 200,
    kind: 'item',
    data: RepublishedEvents,
  },
});
