import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BrandVisibilityClient } from '@bv/sdk';
import type { Stack } from '@bv/local-stack';
import { createCustomer, createKey, createMeasuredBrands } from '../fuzz/prepare.ts';

/** What a program prints as JSON. */
export type Outcome = Record<string, unknown>;
export type Customer = {
  /** Environment of a program. Each has its own limited key and its own text of a prompt. */
  environmentFor(tool: string): Promise<Record<string, string>>;
  expected: Outcome;
  /** Of a program that only reads. */
  expectedReads: Outcome;
};

const maxWaitMs = 60_000;

/** Creates an organisation with measured brands in the stack. `proxyUrl` adds unknown fields and values. */
export async function createTestCustomer(stack: Stack, proxyUrl: string): Promise<Customer> {
  const { orgId, partnerId, key } = await createCustomer(stack);
  const client = new BrandVisibilityClient({ baseUrl: stack.baseUrl, apiKey: key });
  const ids = await createMeasuredBrands(client, orgId);
  const inBrand = { orgId, brandId: ids.BV_FUZZ_BRAND };
  const { units } = await client.getScan({ ...inBrand, jobId: ids.BV_FUZZ_JOB });
  const mentions = await countMentions(client, inBrand, units.answered + units.no_answer);
  const pageSize = Math.ceil(mentions / 4);
  const environment = {
    BV_BASE_URL: stack.baseUrl,
    BV_PROXY_URL: proxyUrl,
    BV_API_KEY: key,
    BV_ORG: orgId,
    BV_BRAND: ids.BV_FUZZ_BRAND,
    BV_OTHER_BRAND: ids.BV_FUZZ_OTHER_BRAND,
    BV_UNKNOWN_ORG: randomUUID(),
    BV_PAGE_SIZE: String(pageSize),
  };
  return {
    environmentFor: async (tool) => ({
      ...environment,
      BV_LIMITED_KEY: await createKey(stack, partnerId, 1),
      BV_PROMPT: `Question of ${tool}?`,
    }),
    expected: {
      own_brands: ['Acme', 'Initech'],
      pages: Math.ceil(mentions / pageSize),
      mentions,
      replayed: true,
      conflict: '409 idempotency_key_reuse',
      limited: '429 rate_limited',
      unknown_field: ['Acme', 'Initech'],
      unknown_field_of_error: '404 not_found',
    },
    expectedReads: { mentions, metric: 'score' },
  };
}

/** Waits until all units of the scan have their row, so that no list changes below a program that reads it. */
async function countMentions(
  client: BrandVisibilityClient,
  inBrand: { orgId: string; brandId: string },
  units: number,
): Promise<number> {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const rows = await client.listMentions(inBrand).all();
    if (rows.length === units) return units;
    if (Date.now() > deadline) throw new Error(`${rows.length} of ${units} mentions after a minute`);
    await sleep(500);
  }
}
