import { z } from 'zod';
import { exampleIds } from './example-ids.ts';
import { PathId, PlatformId, text } from './scalars.ts';

/** Parses digits. Numbers beyond the safe integers are clamped, so that they fail the range check. */
const parseInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+$/.test(value)
    ? Math.min(Math.max(Number(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
    : value;

/** A whole number in a query. */
export const integerFrom = (min: number, max: number) =>
  z.preprocess(parseInteger, z.int().min(min).max(max));

/** The `limit` query parameter: 1 to `max`, 50 when absent. Never stored in a cursor. */
export const limitUpTo = (max: number) =>
  z
    .preprocess(parseInteger, z.int().min(1).max(max).optional())
    .default(50)
    .describe('Maximum number of items of the page. Send it with every page.')
    .meta({ examples: [20] });

export const Cursor = z
  .string()
  .max(2048)
  .optional()
  .describe(
    '`next_cursor` of the previous page, unchanged. It belongs to the filters of the first page. Omit it for the first page.',
  )
  .meta({ examples: ['MDFKUUJBR05RUg'] });

export const noParams = z.object({});
export const noQuery = z.object({});
export const page = { limit: limitUpTo(200), cursor: Cursor };
export const PageQuery = z.object(page);

/** The id of one resource, in a path or as a filter. */
export const resourceId = (resource: keyof typeof exampleIds) =>
  PathId.describe(`Id of the ${resource}.`).meta({ examples: [exampleIds[resource]] });

export const OrgParams = z.object({ orgId: resourceId('organisation') });
export const BrandParams = OrgParams.extend({ brandId: resourceId('brand') });
export const OwnBrandParams = OrgParams.extend({
  brandId: resourceId('brand').describe('Id of the own brand (`is_own: true`).'),
});
export const PromptParams = OrgParams.extend({ promptId: resourceId('prompt') });

/** The header of every write of the public API. */
export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe(
    'Visible ASCII characters of your choice, new for each write. A write with the same key and request runs once. Its response is replayed for 24 hours.',
  );

/** A start or end of a window as sent. `resolveWindow` validates it. */
export const WrittenDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Invalid date: expected YYYY-MM-DD')
  .meta({ format: 'date' });

/** Start and end of a window of at most `maxDays` days. */
export const windowQuery = (maxDays: number) => ({
  from: WrittenDate.optional()
    .describe(
      `First day of the window (UTC), included. Default: 30 days before \`to\`. At most ${maxDays} days before \`to\`.`,
    )
    .meta({ examples: ['2026-11-01'] }),
  to: WrittenDate.optional()
    .describe('Last day of the window (UTC), included. Default: today.')
    .meta({ examples: ['2026-11-21'] }),
});

/** Market filter of the results lists: any stored market, trimmed and in upper case; 1 to 256 characters. */
export const MarketFilter = text(1, 256, { trim: true, controlAsSent: true })
  .transform((token) => token.toUpperCase())
  .optional()
  .describe('Only this market, ISO 3166-1 alpha-2. All markets when omitted.')
  .meta({ examples: ['US'] });

export const PlatformFilter = PlatformId.optional()
  .describe('Only this platform. All platforms when omitted.')
  .meta({ examples: ['chatgpt'] });

export const MonthFilter = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Invalid month: expected YYYY-MM')
  .optional()
  .describe('UTC month. Default: the current one.')
  .meta({ examples: ['2026-11'] });

/** Exactly `true` or `false`. */
export const BooleanFilter = z
  .enum(['true', 'false'])
  .optional()
  .meta({ examples: ['true'] });

/** `gap` of listSources and listPages. */
export const GapFilter = BooleanFilter.describe(
  '`true`: only where answers mention a competitor and not the own brand, most such answers first. `false` is the same as omitting it.',
);

/** The text of a number in a query. MCP tools send numbers. */
export const parseNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
