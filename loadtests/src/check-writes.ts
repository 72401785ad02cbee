import { describe } from './check-run.ts';
import type { AnswerRecord } from './record.ts';
import type { Violations } from './violations.ts';

export type WriteFigures = { writes: number; replays: number; inFlight: number; made: Set<string> };

/** A write sent several times under one key happens once, and every answer is that one's. */
export function checkWrites(records: readonly AnswerRecord[], violations: Violations): WriteFigures {
  const writes = Map.groupBy(records, ({ write }) => write?.id ?? '');
  const made = new Set<string>();
  for (const [id, answers] of writes) {
    const ids = new Set(answers.flatMap(({ write }) => write?.made ?? []));
    const first = answers.filter(({ status, write }) => status === 201 && write?.replayed === false);
    const bodies = new Set(answers.flatMap(({ status, write }) => (status === 201 ? write?.body : []) ?? []));
    if (bodies.size > 1) violations.add('a replay is the answer it repeats', `${id}: ${bodies.size} bodies`);
    if (ids.size > 1) violations.add('a write happens once', `${id}: ${[...ids].join(', ')}`);
    if (first.length !== 1) {
      violations.add('one answer is the original', `${id}: ${first.length} answers say so`);
    }
    for (const answer of answers) checkAnswer(answer, violations);
    for (const one of ids) {
      if (made.has(one)) violations.add('writes under two keys make two things', `${id}: ${one}`);
      made.add(one);
    }
  }
  return {
    writes: writes.size,
    replays: records.filter(({ write }) => write?.replayed === true).length,
    inFlight: records.filter(({ status }) => status === 409).length,
    made,
  };
}

function checkAnswer(answer: AnswerRecord, violations: Violations): void {
  const { phase, status, code, write } = answer;
  if (status === 409 && code === 'idempotency_key_in_flight' && phase === 'at once') return;
  if (status === 201 && (phase === 'at once' || write?.replayed === true)) return;
  violations.add('a duplicate is replayed, or told that the first is under way', describe(answer));
}
