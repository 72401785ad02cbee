import type { Planted, Sent } from './transport.ts';

const altered =
  (method: string, path: RegExp, change: (body: Record<string, unknown>) => Record<string, unknown>) =>
  (sent: Sent): Sent =>
    sent.method === method && path.test(sent.path) && typeof sent.body === 'object'
      ? { ...sent, body: change({ ...sent.body }) }
      : sent;

/** Each is a bug of the product as its clients would meet it; the model must notice every one. */
export const plantedBugs: readonly Planted[] = [
  {
    name: 'idempotency keys are not looked at',
    alters: ({ idempotencyKey: _, ...sent }) => sent,
  },
  {
    name: 'a new prompt is always active',
    alters: altered('POST', /\/prompts$/, (body) => ({ ...body, active: true })),
  },
  {
    name: 'a change of countries keeps one',
    alters: altered('PATCH', /\/prompts\//, ({ countries, ...body }) => ({
      ...body,
      ...(Array.isArray(countries) ? { countries: countries.slice(0, 1) } : {}),
    })),
  },
  {
    name: 'a sync deactivates nothing',
    alters: altered('PUT', /\/prompts$/, (body) => ({ ...body, deactivate_missing: false })),
  },
  { name: 'archiving has no effect', swallows: /\/archive$/ },
  {
    name: 'a subscription of one organisation is for all',
    alters: altered('POST', /\/subscriptions$/, ({ org_id: _, ...body }) => body),
  },
  {
    name: 'the last competitor of a new property is forgotten',
    alters: altered('POST', /\/properties$/, (body) => ({
      ...body,
      competitors: (body['competitors'] as unknown[]).slice(0, -1),
    })),
  },
];
