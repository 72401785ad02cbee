import { setTimeout as sleep } from 'node:timers/promises';
import type { Nats } from '@bv/events';
import type { Queryable } from '@bv/postgres';
import type { ReadUnit } from '../commands/replace-day.ts';
import {
  type AnswerRow,
  type AnswerVersion,
  type BrandDay,
  listAnswers,
  listAnswerVersions,
} from '../db/stored-answers.ts';
import type { Identity } from './identity.ts';
import { requestJudgements } from './judge.ts';
import { maxPauseMs, type Reader } from './reader.ts';
import type { RereadUnit } from './reread-thread.ts';

/** At most 3 MiB of answers. */
const maxPageUnits = 100;
/** At most 5 MiB of brand rows. A unit has one for each tracked brand. */
const maxPageRows = 5_000;
/** What is read of a day before its transaction. The rest of a larger day is read in the transaction. */
const maxReadBytes = 64 * 1_024 * 1_024;
/** A unit whose brands stay. */
const unitBytes = 256;

export type ReadOptions = {
  db: Queryable;
  reader: Reader;
  /** To request judgements of the LLM judge. Null: words decide. */
  nats: Nats | null;
  signal: AbortSignal;
};

export type IdentifiedDay = BrandDay & { identity: Identity };

/** Answers that were read, by unit. */
export type ReadUnits = ReadonlyMap<string, ReadUnit>;

/** Reads the answers of a day in pages, except those that are in `known` and have not changed since. */
export async function* readAnswers(
  options: ReadOptions,
  day: IdentifiedDay,
  known: ReadUnits = new Map(),
): AsyncGenerator<ReadUnit[]> {
  const { db } = options;
  const limit = Math.max(1, Math.min(maxPageUnits, Math.floor(maxPageRows / day.identity.tracked.length)));
  let after: AnswerVersion | null = null;
  do {
    const page: AnswerVersion[] = await listAnswerVersions(db, day, { after, limit });
    const isKnown = ({ id, xmin }: AnswerVersion): boolean => known.get(id)?.xmin === xmin;
    const unknown = page.filter((version) => !isKnown(version)).map(({ id }) => id);
    const answers = unknown.length === 0 ? [] : await listAnswers(db, day.brandId, unknown);
    const read = answers.length === 0 ? [] : await readPage(options, day.identity, answers);
    yield [...page.filter(isKnown).flatMap(({ id }) => known.get(id) ?? []), ...read];
    after = page.length < limit ? null : (page.at(-1) ?? null);
  } while (after !== null);
}

/** Reads a day outside a transaction, with pauses. `sharePercent`: share of the time that reading may take. */
export async function readAhead(
  { sharePercent, ...options }: ReadOptions & { sharePercent: number },
  day: IdentifiedDay,
): Promise<ReadUnits> {
  const read = new Map<string, ReadUnit>();
  let bytes = 0;
  let startedAt = performance.now();
  for await (const page of readAnswers(options, day)) {
    for (const unit of page) {
      read.set(unit.unit_id, unit);
      bytes += unitBytes + (unit.replacement?.length ?? 0);
    }
    if (bytes > maxReadBytes) break;
    const busyMs = performance.now() - startedAt;
    const pauseMs = Math.min(maxPauseMs, (busyMs * (100 - sharePercent)) / sharePercent);
    await sleep(pauseMs, undefined, { signal: options.signal });
    startedAt = performance.now();
  }
  return read;
}

async function readPage(
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
