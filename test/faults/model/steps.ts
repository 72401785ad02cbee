import fc from 'fast-check';
import type { Identity, Limits, Row } from './catalog.ts';

/** Key of a call. `foreign`: key of the other organisation. `stranger`: key of a partner without a link. */
const callers = ['owner', 'reader', 'partner', 'partnerReader', 'foreign', 'stranger'] as const;
export type Caller = (typeof callers)[number];
export type OrgNumber = 0 | 1;
export type Scope = 'read_only' | 'read_write';
export type OrgLimits = Limits & { manual_scans: number };

/**
 * How a write is sent: once; twice with one idempotency key; twice with one key and two different requests. A number:
 * the connection is cut after so many milliseconds, then the write is retried with the same key.
 */
export type Via = 'once' | 'twice' | 'changed' | number;

/** Index of a brand or prompt, oldest first. `stray`: take it from the other organisation. */
type Place = { org: OrgNumber; at: number; stray: boolean };
type Sent = { caller: Caller; via: Via };

export type BrandWrite = Place & Sent & BrandAct;
type BrandAct =
  | { do: 'link' | 'unlink'; domain: number }
  | { do: 'prompt'; row: Row }
  | { do: 'sync'; rows: Row[]; deactivateMissing: boolean }
  | { do: 'update'; identity: Identity }
  | { do: 'reprocess' }
  | { do: 'scan' };
export type PromptWrite = Place &
  Sent & { do: 'patch'; change: { countries?: string[] | undefined; active?: boolean | undefined } };
export type OrgWrite = { org: OrgNumber } & Sent &
  ({ do: 'property'; domain: number; competitors: number[] } | { do: 'ref'; ref: number });
export type WebhookWrite = Sent & { at: number } & (
    | { do: 'endpoint' }
    | { do: 'drop' }
    | { do: 'describe'; text: number }
    | { do: 'subscribe'; org: OrgNumber | null; brand: number | null }
    | { do: 'unsubscribe'; subscription: number }
  );
export type Write = BrandWrite | PromptWrite | OrgWrite | WebhookWrite;
export type OperatorStep =
  | { do: 'archive' | 'restore'; org: OrgNumber; at: number }
  | { do: 'limits'; org: OrgNumber; limits: OrgLimits }
  | { do: 'access'; org: OrgNumber; scope: Scope | null; ref: number };
type Read = { do: 'read'; org: OrgNumber; caller: Caller };
export type Step = Write | OperatorStep | Read;

const org = fc.constantFrom<OrgNumber>(0, 1);
const at = fc.nat(2);
const domain = fc.nat(4);
const countries = fc.uniqueArray(fc.constantFrom('US', 'DE', 'FR', 'GB'), { minLength: 1, maxLength: 3 });
const row: fc.Arbitrary<Row> = fc.record({ text: fc.nat(3), countries, active: fc.boolean() });
const caller = fc.oneof(
  { arbitrary: fc.constantFrom<Caller>('owner', 'partner'), weight: 5 },
  { arbitrary: fc.constantFrom(...callers), weight: 2 },
);
const webhookCaller = fc.oneof(
  { arbitrary: fc.constant<Caller>('partner'), weight: 4 },
  { arbitrary: fc.constantFrom(...callers), weight: 1 },
);
const via: fc.Arbitrary<Via> = fc.oneof(
  { arbitrary: fc.constant<Via>('once'), weight: 4 },
  { arbitrary: fc.constantFrom<Via>('twice', 'changed'), weight: 2 },
  { arbitrary: fc.nat(15), weight: 2 },
);
const stray = fc.oneof(
  { arbitrary: fc.constant(false), weight: 12 },
  { arbitrary: fc.constant(true), weight: 1 },
);
const place = { org, at, stray, caller, via };
const limits: fc.Arbitrary<OrgLimits> = fc.record({
  prompts: fc.nat(5),
  own_brands: fc.integer({ min: 1, max: 4 }),
  countries: fc.integer({ min: 1, max: 4 }),
  competitors_per_brand: fc.nat(3),
  manual_scans: fc.nat(2),
});

const name = fc.constantFrom('Brand', 'Brand & Co', 'Ordinary');
const identity: fc.Arbitrary<Identity> = fc.record(
  {
    name,
    aliases: fc.uniqueArray(name, { maxLength: 3 }),
    match: fc.record({ verify: fc.boolean() }),
  },
  { requiredKeys: [] },
);

const is = <const Name extends string>(name: Name): fc.Arbitrary<Name> => fc.constant(name);
const weightedSteps: { arbitrary: fc.Arbitrary<Step>; weight: number }[] = [
  {
    weight: 5,
    arbitrary: fc.record({
      do: is('property'),
      org,
      caller,
      via,
      domain,
      competitors: fc.array(domain, { maxLength: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ ...place, do: is('link'), domain }) },
  { weight: 2, arbitrary: fc.record({ ...place, do: is('unlink'), domain }) },
  { weight: 8, arbitrary: fc.record({ ...place, do: is('prompt'), row }) },
  {
    weight: 6,
    arbitrary: fc.record({
      ...place,
      do: is('patch'),
      change: fc.record({ countries, active: fc.boolean() }, { requiredKeys: [] }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...place,
      do: is('sync'),
      rows: fc.uniqueArray(row, { selector: ({ text }) => text, maxLength: 3 }),
      deactivateMissing: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ ...place, do: is('update'), identity }) },
  { weight: 1, arbitrary: fc.record({ ...place, do: is('reprocess') }) },
  { weight: 2, arbitrary: fc.record({ ...place, do: is('scan') }) },
  { weight: 2, arbitrary: fc.record({ do: is('ref'), org, caller, via, ref: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: is('endpoint'), caller: webhookCaller, via, at }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: is('describe'), caller: webhookCaller, via, at, text: fc.nat(9) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: is('subscribe'),
      caller: webhookCaller,
      via,
      at: fc.nat(1),
      org: fc.option(org, { nil: null }),
      brand: fc.option(at, { nil: null }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: is('unsubscribe'),
      caller: webhookCaller,
      via,
      at: fc.nat(1),
      subscription: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is('drop'), caller: webhookCaller, via, at }) },
  { weight: 3, arbitrary: fc.record({ do: is('archive'), org, at }) },
  { weight: 3, arbitrary: fc.record({ do: is('restore'), org, at }) },
  { weight: 2, arbitrary: fc.record({ do: is('limits'), org, limits }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is('access'),
      org,
      scope: fc.constantFrom<Scope | null>('read_write', 'read_only', null),
      ref: fc.nat(9),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: is('read'), org, caller: fc.constantFrom(...callers) }) },
];

/** Each sequence starts with a brand, because most steps need one. */
const firstBrand = (number: OrgNumber): Step => ({
  do: 'property',
  org: number,
  caller: 'owner',
  via: 'once',
  domain: 0,
  competitors: [],
});
export const sequence: fc.Arbitrary<Step[]> = fc
  .array(fc.oneof(...weightedSteps), { minLength: 25, maxLength: 70, size: 'max' })
  .map((steps) => [firstBrand(0), firstBrand(1), ...steps]);

const operatorSteps = new Set(['archive', 'restore', 'limits', 'access']);
export const isOperatorStep = (step: Step): step is OperatorStep => operatorSteps.has(step.do);
const onWebhooks = new Set(['endpoint', 'describe', 'drop', 'subscribe', 'unsubscribe']);
export const isWebhookWrite = (step: Step): step is WebhookWrite => onWebhooks.has(step.do);
