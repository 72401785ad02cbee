import { checkDay } from './check-day.ts';
import { checkGate } from './check-gate.ts';
import { checkLimiter } from './check-limiter.ts';
import { checkWalks } from './check-walks.ts';
import { checkWrites } from './check-writes.ts';
import type { AnswerRecord, RunData } from './record.ts';
import type { Violations } from './violations.ts';

/** What has to be there before. */
export type SeedPlan = {
  orgs: number;
  brands: number;
  prompts: number;
  days: number;
  keys: 'one' | 'phases';
};

type Findings = {
  /** Lines of the summary. */
  facts: string[];
  /** Prompts made by the run, which the catalog must have, and no other. */
  made?: Set<string>;
};

export type Scenario = {
  title: string;
  script: string;
  seconds: number;
  size: number;
  seed: SeedPlan;
  /** Starts with the minute, so that the edges lie where they are expected. */
  aligned?: boolean;
  /** Needs one address a user. */
  ownAddresses?: boolean;
  /** Whether memory and latency must stay where they were. */
  steady?: boolean;
  expected: readonly number[];
  /** The stated objectives: k6's thresholds by metric. */
  objectives: Record<string, string[]>;
  check(records: readonly AnswerRecord[], data: RunData, violations: Violations): Findings;
};

/** `Retry-After` comes from the clock of Redis, `Date` from the gateway: rarely a second begins between the two. */
const exactMostly = 0.9;
/** Of the product's configuration; the gate is the same for everybody. */
const failedAttemptsPerMinute = 20;
const oneBrand: SeedPlan = { orgs: 1, brands: 1, prompts: 1, days: 0, keys: 'one' };
const measured: SeedPlan = { orgs: 4, brands: 2, prompts: 10, days: 20, keys: 'one' };

const dayObjectives = { http_req_duration: ['p(95)<150', 'p(99)<400'] };

export const scenarios = {
  limiter: {
    title: 'The limiter at, above and below the allowance, many keys at once, through every gateway',
    script: 'limiter.ts',
    seconds: 190,
    size: 1,
    seed: { ...oneBrand, keys: 'phases' },
    aligned: true,
    expected: [429],
    objectives: { 'http_req_duration{scenario:below}': ['p(99)<250'] },
    check: (records, data, violations) => {
      const { admitted, refused, windows, exactRetryAfter } = checkLimiter(records, data.keys, violations);
      const gateways = new Set(records.map(({ gateway }) => gateway)).size;
      const keys = `${data.keys.length} keys, ${gateways} gateways`;
      if (refused === 0) violations.add('the allowance is tried', 'nothing was refused');
      if (windows <= data.keys.length) violations.add('a minute edge is crossed', `${windows} windows`);
      if (gateways < data.baseUrls.length) violations.add('every gateway is asked', keys);
      if (exactRetryAfter < refused * exactMostly) {
        violations.add('Retry-After is Reset minus Date', `in ${exactRetryAfter} of ${refused} refusals`);
      }
      return {
        facts: [
          `${keys}: ${windows} windows, ${admitted} admitted, ${refused} refused`,
          `Retry-After is Reset minus Date in ${exactRetryAfter} of ${refused} refusals, one second off in the rest`,
        ],
      };
    },
  },
  gate: {
    title: 'The gate of failed attempts, by address',
    script: 'gate.ts',
    seconds: 130,
    size: 10,
    seed: oneBrand,
    aligned: true,
    ownAddresses: true,
    expected: [401, 429],
    objectives: { http_req_duration: ['p(99)<250'] },
    check: (records, _data, violations) => {
      const { guesses, gated, addresses } = checkGate(records, failedAttemptsPerMinute, violations);
      if (gated === 0) violations.add('the gate is tried', 'nothing was gated');
      return { facts: [`${addresses} addresses: ${guesses} guesses answered 401, ${gated} requests gated`] };
    },
  },
  writes: {
    title: 'Idempotent writes, each sent five times',
    script: 'writes.ts',
    seconds: 60,
    size: 8,
    seed: { orgs: 4, brands: 2, prompts: 0, days: 0, keys: 'one' },
    expected: [409],
    objectives: { http_req_duration: ['p(95)<250', 'p(99)<500'] },
    check: (records, _data, violations) => {
      const { writes, replays, inFlight, made } = checkWrites(records, violations);
      return {
        facts: [`${writes} writes: ${replays} replays, ${inFlight} told to wait for the first`],
        made,
      };
    },
  },
  day: {
    title: "A partner's day: reads and writes over all its organisations",
    script: 'day.ts',
    seconds: 60,
    size: 100,
    seed: measured,
    expected: [],
    objectives: dayObjectives,
    check: checkDay,
  },
  walk: {
    title: 'Bulk walks of mentions',
    script: 'walk.ts',
    seconds: 60,
    size: 4,
    seed: { orgs: 2, brands: 2, prompts: 20, days: 30, keys: 'one' },
    expected: [],
    objectives: { http_req_duration: ['p(95)<500'] },
    check: (records, data, violations) => {
      const { walks, pages, rows } = checkWalks(records, data, violations);
      return { facts: [`${walks} whole walks: ${pages} pages, ${rows} rows`] };
    },
  },
  soak: {
    title: "A partner's day without end: nothing may grow",
    script: 'day.ts',
    seconds: 1_800,
    size: 60,
    seed: measured,
    steady: true,
    expected: [],
    objectives: dayObjectives,
    check: checkDay,
  },
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;
