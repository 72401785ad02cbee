import { sleep } from 'k6';
import type { Options } from 'k6/options';
import { data, send, summaryTrendStats, writeSummary } from './response.ts';

declare const __VU: number;
declare const __ITER: number;

/** Every user has a separate address. Every fifth sends only valid keys and must never be refused. */
export const options: Options = {
  scenarios: {
    guess: {
      executor: 'constant-vus',
      exec: 'guess',
      vus: data.size,
      duration: `${data.seconds}s`,
      gracefulStop: '20s',
    },
  },
  summaryTrendStats,
  thresholds: data.objectives,
};

export function guess(): void {
  const honest = __VU % 5 === 0;
  const good = honest || __ITER % 6 === 5;
  // Well-formed and unknown, as a guessed key would be.
  const unknown = `bvk_live_${String(__VU * 1_000_000 + __ITER).padStart(43, '0')}`;
  const gateway = __ITER % data.baseUrls.length;
  const path = `/orgs/${data.orgs[0]?.orgId}/brands`;
  send(honest ? 'honest' : 'guessing', {
    method: 'GET',
    gateway,
    key: good ? 0 : -1,
    path,
    ...(good ? {} : { token: unknown }),
  });
  sleep(0.1);
}

export const handleSummary = writeSummary;
