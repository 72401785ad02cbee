import { z } from 'zod';
import { PathId, PlatformId, text } from './scalars.ts';

/** Parses digits. Numbers beyond the safe integers are clamped, so that they fail the range check. */
const parseInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+$/.test(value)
    ? Math.min(Math.max(Number(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
    : value;

/** The `limit` query parameter: 1 to `max`, 50 when absent. Never stored in a cursor. */
export const limitUpTo = (max: number) =>
  z.preprocess(parseInteger, z.int().min(1).max(max).optional()).default(50);

export const Cursor = z
  .string()
  .max(2048)
  .optional()
  .describe('Opaque value of the previous pagination.next_cursor.');

export const noParams = z.object({});
export const noQuery = z.object({});
export const page = { limit: limitUpTo(200), cursor: Cursor };
export const PageQuery = z.object(page);

export const OrgParams = z.object({ orgId: PathId });
export const BrandParams = z.object({ orgId: PathId, brandId: PathId });
export const PromptParams = z.object({ orgId: PathId, promptId: PathId });

/** A start or end of a window as sent. `resolveWindow` validates it. */
export const WrittenDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'Invalid date: expected YYYY-MM-DD');

export const windowQuery = { from: WrittenDate.optional(), to: WrittenDate.optional() };

/** Market filter of the results lists: any stored market, trimmed and in upper case; 1 to 256 characters. */
export const MarketFilter = text(1, 256, { trim: true, controlAsSent: true })
  .transform((token) => token.toUpperCase())
  .optional();

export const PlatformFilter = PlatformId.optional();
export const BooleanFilter = z.enum(['true', 'false']).optional();
