import type { Mutant, Sent } from './transport.ts';

const transformBody =
  (method: string, path: RegExp, change: (body: Record<string, unknown>) => Record<string, unknown>) =>
  (sent: Sent): Sent =>
    sent.method === method && path.test(sent.path) && typeof sent.body === 'object'
      ? { ...sent, body: change({ ...sent.body }) }
      : sent;

/** Bugs between client and product, as in mutation testing. The model must detect every one. */
export const mutants: readonly Mutant[] = [
  {
    name: 'idempotency keys are ignored',
    transform: ({ idempotencyKey: _, ...sent }) => sent,
  },
  {
    name: 'a new prompt is always active',
    transform: transformBody('POST', /\/prompts$/, (body) => ({ ...body, active: true })),
  },
  {
    name: 'a change of countries keeps one',
    transform: transformBody('PATCH', /\/prompts\//, ({ countries, ...body }) => ({
      ...body,
      ...(Array.isArray(countries) ? { countries: countries.slice(0, 1) } : {}),
    })),
  },
  {
    name: 'a sync deactivates nothing',
    transform: transformBody('PUT', /\/prompts$/, (body) => ({ ...body, deactivate_missing: false })),
  },
  {
    name: 'the aliases of a brand are kept',
    transform: transformBody('PATCH', /\/brands\/[^/]*$/, ({ aliases: _, ...body }) => ({
      ...body,
      geography: 'global',
    })),
  },
  { name: 'archiving has no effect', ignores: /\/archive$/ },
  {
    name: 'a subscription to one organisation covers all',
    transform: transformBody('POST', /\/subscriptions$/, ({ org_id: _, ...body }) => body),
  },
  {
    name: 'the last competitor of a new property is forgotten',
    transform: transformBody('POST', /\/properties$/, (body) => ({
      ...body,
      competitors: (body['competitors'] as unknown[]).slice(0, -1),
    })),
  },
];
