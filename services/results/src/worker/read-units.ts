import { setTimeout as sleep } from 'node:timers/promises';
import type { Nats } from '@bv/events';
import { failpoint } from '@bv/lifecycle';
import type { Queryable } from '@bv/postgres';
import { LeaseLost } from '../commands/replace-day.ts';
import type { BrandDay } from '../db/reprocess-days.ts';
import type { Lease } from '../db/reprocess-leases.ts';
import { type AnswerRow, insertReadUnits, listUnreadAnswers } from '../db/reprocess-units.ts';
import type { Identity } from './identity.ts';
import { requestJudgements } from './judge.ts';
import { maxPauseMs, type Reader } from './reader.ts';
import type { RereadUnit } from './reread-thread.ts';

/** At most 3 MiB of answers. */
const maxBatchUnits = 100;
/** At most 5 MiB of brand rows. A unit has one for each tracked brand. */
const maxBatchRows = 5_000;

export type ReadOptions = {
  db: Queryable;
  reader: Reader;
  /** To request judgements of the LLM judge. Null: words decide. */
  nats: Nats | null;
  /** Share of the time that reading may take, in percent. */
  sharePercent: number;
  signal: AbortSignal;
};

/** Reads the units of a day that the lease has not read, in batches, and stores what replaces their brands. */
export async function readUnits(
  options: ReadOptions,
  lease: Lease,
  { identity, ...day }: BrandDay & { identity: Identity },
): Promise<void> {
  const { db, sharePercent, signal } = options;
  const limit = Math.max(1, Math.min(maxBatchUnits, Math.floor(maxBatchRows / identity.tracked.length)));
  let after: AnswerRow | null = null;
  do {
    const startedAt = performance.now();
    const units: AnswerRow[] = await listUnreadAnswers(db, lease, day, { after, limit });
    if (units.length === 0) return;
    const read = await readBatch(options, identity, units);
    if (!(await insertReadUnits(db, lease, read))) throw new LeaseLost();
    failpoint('reprocess.units_read');
    const busyMs = performance.now() - startedAt;
    const pauseMs = Math.min(maxPauseMs, (busyMs * (100 - sharePercent)) / sharePercent);
    await sleep(pauseMs, undefined, { signal });
    after = units.length < limit ? null : (units.at(-1) ?? null);
  } while (after !== null);
}

async function readBatch(
  { reader, nats, signal }: ReadOptions,
  { tracked, versions }: Identity,
  units: readonly AnswerRow[],
): Promise<RereadUnit[]> {
  const read = await reader.reread({ tracked, units, judgements: new Map() }, signal);
  const unjudged = new Map(
    read.filter((unit) => unit.unjudged.length > 0).map((unit) => [unit.unit_id, unit.unjudged]),
  );
  const [own] = tracked;
  if (nats === null || own === undefined || unjudged.size === 0) return read;
  const answers = units.filter(({ id }) => unjudged.has(id));
  const judgements = await requestJudgements(
    nats,
    { brandId: own.id, versions },
    answers.map(({ id, answer_text }) => ({
      unitId: id,
      answerText: answer_text,
      brandIds: unjudged.get(id) ?? [],
    })),
    signal,
  );
  if (judgements.size === 0) return read;
  const judged = await reader.reread({ tracked, units: answers, judgements }, signal);
  const byId = new Map(judged.map((unit) => [unit.unit_id, unit]));
  return read.map((unit) => byId.get(unit.unit_id) ?? unit);
}
