import { describe } from './check-run.ts';
import type { ResponseRecord } from './record.ts';
import type { Violations } from './violations.ts';

export type WriteFigures = { writes: number; replays: number; inFlight: number; created: Set<string> };

/** Checks that a write sent several times with one key runs once, and that all responses are equal. */
export function checkWrites(records: readonly ResponseRecord[], violations: Violations): WriteFigures {
  const writes = Map.groupBy(records, ({ write }) => write?.id ?? '');
  const created = new Set<string>();
  for (const [id, responses] of writes) {
    const ids = new Set(responses.flatMap(({ write }) => write?.created ?? []));
    const first = responses.filter(({ status, write }) => status === 201 && write?.replayed === false);
    const bodies = new Set(
      responses.flatMap(({ status, write }) => (status === 201 ? write?.body : []) ?? []),
    );
    if (bodies.size > 1)
      violations.add('a replay equals the original response', `${id}: ${bodies.size} bodies`);
    if (ids.size > 1) violations.add('a write happens once', `${id}: ${[...ids].join(', ')}`);
    if (first.length !== 1) {
      violations.add('one response is the original', `${id}: ${first.length} responses are not replays`);
    }
    for (const response of responses) checkWriteResponse(response, violations);
    for (const one of ids) {
      if (created.has(one)) violations.add('writes with two keys create two resources', `${id}: ${one}`);
      created.add(one);
    }
  }
  return {
    writes: writes.size,
    replays: records.filter(({ write }) => write?.replayed === true).length,
    inFlight: records.filter(({ status }) => status === 409).length,
    created,
  };
}

function checkWriteResponse(response: ResponseRecord, violations: Violations): void {
  const { phase, status, code, write } = response;
  if (status === 409 && code === 'idempotency_key_in_flight' && phase === 'at once') return;
  if (status === 201 && (phase === 'at once' || write?.replayed === true)) return;
  violations.add('a duplicate is replayed or gets idempotency_key_in_flight', describe(response));
}
