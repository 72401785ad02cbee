import { checkDay } from './check-day.ts';
import { checkFailedAttempts } from './check-failed-attempts.ts';
import { checkLimiter } from './check-limiter.ts';
import { checkBulkReads } from './check-bulk-reads.ts';
import { checkWrites } from './check-writes.ts';
import type { ResponseRecord, RunData } from './record.ts';
import type { Violations } from './violations.ts';

/** Data that is created before the run. */
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
  /** Ids of the prompts that the run created. The catalog must contain these and no others. */
  created?: Set<string>;
};

export type Scenario = {
  title: string;
  script: string;
  seconds: number;
  size: number;
  seed: SeedPlan;
  /** Starts at the beginning of a minute. */
  aligned?: boolean;
  /** Needs a separate address for each user. */
  ownAddresses?: boolean;
  /** Whether memory and latency must be constant. */
  steady?: boolean;
  expected: readonly number[];
  /** Objectives: thresholds of k6 by metric. */
  objectives: Record<string, string[]>;
  check(records: readonly ResponseRecord[], data: RunData, violations: Violations): Findings;
};

/** `Retry-After` is from the clock of Redis, `Date` from the gateway. Rarely a second begins between them. */
const minExactShare = 0.9;
/** Default of the product's configuration. */
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
      if (refused === 0) violations.add('the allowance is reached', 'nothing was refused');
      if (windows <= data.keys.length) violations.add('a minute edge is crossed', `${windows} windows`);
      if (gateways < data.baseUrls.length) violations.add('every gateway gets requests', keys);
      if (exactRetryAfter < refused * minExactShare) {
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
  'failed-attempts': {
    title: 'The failed-attempt limiter, by address',
    script: 'failed-attempts.ts',
    seconds: 130,
    size: 10,
    seed: oneBrand,
    aligned: true,
    ownAddresses: true,
    expected: [401, 429],
    objectives: { http_req_duration: ['p(99)<250'] },
    check: (records, _data, violations) => {
      const { guesses, blocked, addresses } = checkFailedAttempts(
        records,
        failedAttemptsPerMinute,
        violations,
      );
      if (blocked === 0) violations.add('the limiter is reached', 'nothing was blocked');
      return {
        facts: [`${addresses} addresses: ${guesses} invalid keys got 401, ${blocked} requests blocked`],
      };
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
      const { writes, replays, inFlight, created } = checkWrites(records, violations);
      return {
        facts: [`${writes} writes: ${replays} replays, ${inFlight} idempotency_key_in_flight`],
        created,
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
  'bulk-read': {
    title: 'Bulk reads of mentions',
    script: 'bulk-read.ts',
    seconds: 60,
    size: 4,
    seed: { orgs: 2, brands: 2, prompts: 20, days: 30, keys: 'one' },
    expected: [],
    objectives: { http_req_duration: ['p(95)<500'] },
    check: (records, data, violations) => {
      const { reads, pages, rows } = checkBulkReads(records, data, violations);
      return { facts: [`${reads} complete bulk reads: ${pages} pages, ${rows} rows`] };
    },
  },
  soak: {
    title: "A partner's day, repeated: memory and latency stay constant",
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
