import { IdempotencyKey, Uuid } from '@bv/contract';
import { z } from 'zod';

/** Arguments that several tools have. */

export const orgId = Uuid.describe('From list_organisations.');
export const brandId = Uuid.describe('Own brand, from list_brands.');

/** How many rows a tool returns. It reads as many pages as this needs. */
export const maxRows = (highest: number, usual: number) =>
  z.int().min(1).max(highest).default(usual).describe('Rows to return.');

export const idempotencyKey = IdempotencyKey.unwrap()
  .regex(/^[!-~]+$/, 'Invalid key: visible ASCII characters only')
  .optional()
  .describe('Send the same value to retry: the call then runs once.');

type Brand = { org_id: string; brand_id: string };

export const toBrandParams = ({ org_id, brand_id }: Brand) => ({ orgId: org_id, brandId: brand_id });
