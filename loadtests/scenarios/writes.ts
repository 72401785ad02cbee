import { sha256 } from 'k6/crypto';
import http from 'k6/http';
import type { Options } from 'k6/options';
import { bodyOf, data, log, requestOf, send, summaryTrendStats, writeSummary, type Sent } from './answer.ts';

declare const __VU: number;
declare const __ITER: number;

/** As many users as brands, so that writes of one brand never wait for one another. */
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

/** The same write several times at once through all gateways, and once more when it has been answered. */
export function write(): void {
  const target = targets[(__VU - 1) % targets.length];
  const id = `${data.mark}-${__VU}-${__ITER}`;
  const sentTo = (gateway: number): Sent => ({
    method: 'POST',
    gateway: gateway % data.baseUrls.length,
    key: 0,
    path: `/orgs/${target?.orgId}/brands/${target?.brandId}/prompts`,
    body: { text: `Which tool is best for task ${id}?`, countries: ['US'] },
    idempotencyKey: id,
  });
  const writeOf = (answer: ReturnType<typeof send>) => ({
    write: {
      id,
      replayed: answer.headers['Idempotent-Replayed'] === 'true',
      made: answer.status === 201 ? bodyOf<{ data: { id: string } }>(answer).data.id : null,
      body: sha256(answer.body ?? '', 'hex'),
    },
  });
  const all = Array.from({ length: copies }, (_, index) => sentTo(__ITER + index));
  const startMs = Date.now();
  const answers = http.batch(all.map(requestOf));
  answers.forEach((answer, index) => {
    log('at once', all[index] ?? sentTo(0), { answer, startMs, more: writeOf(answer) });
  });
  send('afterwards', sentTo(__ITER), writeOf);
}

export const handleSummary = writeSummary;
