import { IdempotencyKey, MarketFilter, PlatformId, Uuid, WrittenDate } from '@bv/contract';
import { z } from 'zod';

/** Arguments that several tools have. */

export const orgId = Uuid.describe('From list_organisations.');
export const brandId = Uuid.describe('From list_brands.');

/** Window and filters of the answers that count, in fewer words than the reference has. */
export const filters = {
  from: WrittenDate.optional().describe('UTC day. Default: 30 days before `to`.'),
  to: WrittenDate.optional().describe('Default: today.'),
  platform: PlatformId.optional().describe('Default: all.'),
  country: MarketFilter.describe('Two letters. Default: all.'),
};

/** How many rows a tool returns. It reads as many pages as this needs. */
export const maxRows = (highest: number, usual: number) => z.int().min(1).max(highest).default(usual);

export const idempotencyKey = IdempotencyKey.unwrap()
  .regex(/^[!-~]+$/, 'Invalid key: visible ASCII characters only')
  .optional()
  .describe('Send the same to retry: it runs once.');

type Brand = { org_id: string; brand_id: string };

export const toBrandParams = ({ org_id, brand_id }: Brand) => ({ orgId: org_id, brandId: brand_id });
