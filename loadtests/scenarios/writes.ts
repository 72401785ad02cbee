import { sha256 } from 'k6/crypto';
import http from 'k6/http';
import type { Options } from 'k6/options';
import {
  parseBody,
  data,
  log,
  buildRequest,
  send,
  summaryTrendStats,
  writeSummary,
  type Sent,
} from './response.ts';

declare const __VU: number;
declare const __ITER: number;

/** At most as many users as brands, because writes of one brand wait for each other. */
export const options: Options = {
  scenarios: {
    write: {
      executor: 'constant-vus',
      exec: 'write',
      vus: Math.min(data.size, data.orgs.flatMap(({ brands }) => brands).length),
      duration: `${data.seconds}s`,
      gracefulStop: '20s',
    },
  },
  summaryTrendStats,
  thresholds: data.objectives,
};

const targets = data.orgs.flatMap(({ orgId, brands }) => brands.map(({ brandId }) => ({ orgId, brandId })));
const copies = 4;

/** Sends the same write several times at once through all gateways, and once more after the responses. */
export function write(): void {
  const target = targets[(__VU - 1) % targets.length];
  const id = `${data.mark}-${__VU}-${__ITER}`;
  const buildWrite = (gateway: number): Sent => ({
    method: 'POST',
    gateway: gateway % data.baseUrls.length,
    key: 0,
    path: `/orgs/${target?.orgId}/brands/${target?.brandId}/prompts`,
    body: { text: `Which tool is best for task ${id}?`, countries: ['US'] },
    idempotencyKey: id,
  });
  const toWriteRecord = (response: ReturnType<typeof send>) => ({
    write: {
      id,
      replayed: response.headers['Idempotent-Replayed'] === 'true',
      created: response.status === 201 ? parseBody<{ data: { id: string } }>(response).data.id : null,
      body: sha256(response.body ?? '', 'hex'),
    },
  });
  const all = Array.from({ length: copies }, (_, index) => buildWrite(__ITER + index));
  const startMs = Date.now();
  const responses = http.batch(all.map(buildRequest));
  responses.forEach((response, index) => {
    log('at once', all[index] ?? buildWrite(0), { response, startMs, extra: toWriteRecord(response) });
  });
  send('afterwards', buildWrite(__ITER), toWriteRecord);
}

export const handleSummary = writeSummary;
