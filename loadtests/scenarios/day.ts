import exec from 'k6/execution';
import type { Options } from 'k6/options';
import { data, send, summaryTrendStats, writeSummary, type Sent } from './answer.ts';

/** A partner's mix over all its organisations: ninety-five reads to five writes. */
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

type Place = { org: string; brand: string; prompt: string };
type Call = Omit<Sent, 'gateway' | 'key'>;

const mix: { share: number; name: string; call: (place: Place, arrival: number) => Call }[] = [
  { share: 10, name: 'organisations', call: () => ({ method: 'GET', path: '/orgs' }) },
  { share: 15, name: 'brands', call: ({ org }) => ({ method: 'GET', path: `${org}/brands` }) },
  { share: 15, name: 'summary', call: ({ org }) => ({ method: 'GET', path: `${org}/brands/summary` }) },
  { share: 10, name: 'prompts', call: ({ org }) => ({ method: 'GET', path: `${org}/prompts?limit=50` }) },
  { share: 15, name: 'scores', call: ({ brand }) => ({ method: 'GET', path: `${brand}/scores` }) },
  {
    share: 10,
    name: 'share of voice',
    call: ({ brand }) => ({ method: 'GET', path: `${brand}/share-of-voice` }),
  },
  {
    share: 10,
    name: 'mentions',
    call: ({ brand }) => ({ method: 'GET', path: `${brand}/mentions?limit=50` }),
  },
  { share: 10, name: 'prompt results', call: ({ prompt }) => ({ method: 'GET', path: `${prompt}/results` }) },
  {
    share: 5,
    name: 'prompt update',
    call: ({ prompt }, arrival) => ({
      method: 'PATCH',
      path: prompt,
      body: { tags: [`tag ${arrival % 7}`] },
      idempotencyKey: `${data.mark}-${arrival}`,
    }),
  },
];

const places: Place[] = data.orgs.flatMap(({ orgId, brands }) =>
  brands.flatMap(({ brandId, promptIds }) =>
    promptIds.map((promptId) => ({
      org: `/orgs/${orgId}`,
      brand: `/orgs/${orgId}/brands/${brandId}`,
      prompt: `/orgs/${orgId}/prompts/${promptId}`,
    })),
  ),
);

/** The n-th arrival's place in the mix, spread so that every stretch of arrivals has all of it. */
export function day(): void {
  const arrival = exec.scenario.iterationInTest;
  let position = (arrival * 37) % 100;
  const chosen = mix.find(({ share }) => (position -= share) < 0) ?? mix[0];
  const place = places[(arrival * 7) % places.length];
  if (chosen === undefined || place === undefined) throw new Error('the run has no data');
  send(chosen.name, {
    ...chosen.call(place, arrival),
    gateway: arrival % data.baseUrls.length,
    key: arrival % data.keys.length,
  });
}

export const handleSummary = writeSummary;
