import exec from 'k6/execution';
import type { Options } from 'k6/options';
import { dayMix, type DayCall } from '../src/day-mix.ts';
import { data, send, summaryTrendStats, writeSummary, type Sent } from './response.ts';

/** The mix of a partner over all its organisations. */
export const options: Options = {
  scenarios: {
    day: {
      executor: 'constant-arrival-rate',
      exec: 'day',
      rate: data.size,
      timeUnit: '1s',
      duration: `${data.seconds}s`,
      preAllocatedVUs: 30,
      maxVUs: 300,
      gracefulStop: '20s',
    },
  },
  summaryTrendStats,
  thresholds: data.objectives,
};

type Paths = { org: string; brand: string; prompt: string };
type Call = Omit<Sent, 'gateway' | 'key'>;

const calls: Record<DayCall, (paths: Paths, arrival: number) => Call> = {
  organisations: () => ({ method: 'GET', path: '/orgs' }),
  brands: ({ org }) => ({ method: 'GET', path: `${org}/brands` }),
  summary: ({ org }) => ({ method: 'GET', path: `${org}/brands/summary` }),
  prompts: ({ org }) => ({ method: 'GET', path: `${org}/prompts?limit=50` }),
  scores: ({ brand }) => ({ method: 'GET', path: `${brand}/scores` }),
  'share of voice': ({ brand }) => ({ method: 'GET', path: `${brand}/share-of-voice` }),
  mentions: ({ brand }) => ({ method: 'GET', path: `${brand}/mentions?limit=50` }),
  'prompt results': ({ prompt }) => ({ method: 'GET', path: `${prompt}/results` }),
  'prompt update': ({ prompt }, arrival) => ({
    method: 'PATCH',
    path: prompt,
    body: { tags: [`tag ${arrival % 7}`] },
    idempotencyKey: `${data.mark}-${arrival}`,
  }),
};
const mix = Object.entries(dayMix) as [DayCall, number][];

const allPaths: Paths[] = data.orgs.flatMap(({ orgId, brands }) =>
  brands.flatMap(({ brandId, promptIds }) =>
    promptIds.map((promptId) => ({
      org: `/orgs/${orgId}`,
      brand: `/orgs/${orgId}/brands/${brandId}`,
      prompt: `/orgs/${orgId}/prompts/${promptId}`,
    })),
  ),
);

/** Sends one call of the mix. Calls are interleaved, so that every hundred arrivals contain the whole mix. */
export function day(): void {
  const arrival = exec.scenario.iterationInTest;
  let position = (arrival * 37) % 100;
  const [name] = mix.find(([, share]) => (position -= share) < 0) ?? [];
  const paths = allPaths[(arrival * 7) % allPaths.length];
  if (name === undefined || paths === undefined) throw new Error('the run has no data');
  send(name, {
    ...calls[name](paths, arrival),
    gateway: arrival % data.baseUrls.length,
    key: arrival % data.keys.length,
  });
}

export const handleSummary = writeSummary;
