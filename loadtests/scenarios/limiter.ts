import exec from 'k6/execution';
import type { Options } from 'k6/options';
import { data, send, summaryTrendStats, writeSummary } from './response.ts';

/** Offered requests per key, as a multiple of its allowance, by phase. */
const phases: Record<string, number> = { above: 4, at: 1, below: 0.5, many: 2 };

const listKeyIndexes = (phase: string): number[] =>
  data.keys.flatMap((key, index) => (key.phase === phase ? [index] : []));

const scenario = (phase: string, offered: number) => {
  const perMinute = listKeyIndexes(phase).reduce((sum, index) => sum + (data.keys[index]?.perMinute ?? 0), 0);
  return {
    executor: 'constant-arrival-rate' as const,
    exec: 'arrive',
    env: { PHASE: phase },
    // An open model: requests arrive at a constant rate, however slow the responses are.
    rate: Math.round(perMinute * offered),
    timeUnit: '1m',
    duration: `${data.seconds}s`,
    preAllocatedVUs: 30,
    maxVUs: 300,
    gracefulStop: '20s',
  };
};

export const options: Options = {
  scenarios: Object.fromEntries(
    Object.entries(phases).map(([phase, times]) => [phase, scenario(phase, times)]),
  ),
  summaryTrendStats,
  thresholds: data.objectives,
};

declare const __ENV: Record<string, string>;

/** Sends one request. Keys alternate, and each key is used at every gateway. */
export function arrive(): void {
  const phase = __ENV.PHASE ?? '';
  const keys = listKeyIndexes(phase);
  const arrival = exec.scenario.iterationInTest;
  const keyIndex = arrival % keys.length;
  const key = keys[keyIndex] ?? 0;
  const gateway = (keyIndex + Math.floor(arrival / keys.length)) % data.baseUrls.length;
  send(phase, { method: 'GET', gateway, key, path: `/orgs/${data.orgs[0]?.orgId}/brands` });
}

export const handleSummary = writeSummary;
