import type { Readable } from 'node:stream';
import {
  maxWindowDays,
  operatorCountBrandUnits,
  operatorDeleteBrandUnits,
  operatorImportResults,
  resolveWindow,
} from '@bv/contract';
import { callRpc, marketsRpc } from '@bv/events';
import { type Route, route } from '@bv/http';
import { deleteImportedUnits } from '../commands/delete-imported-units.ts';
import { finishImport, importUnits } from '../commands/import-units.ts';
import { type Context, getToday } from '../context.ts';
import {
  checkImportRules,
  checkImportSubject,
  parseImportLine,
  toFinalisedUnit,
} from '../domain/imported-unit.ts';
import { countBrandUnits, type FinalisedUnit } from '../db/units.ts';
import type { TokenEvents } from '../publish/publish.ts';
import { createSubjectFinder } from './import-subjects.ts';
import { readNdjsonLines } from './ndjson-lines.ts';
import { findOwnBrandForOperator } from './projections.ts';

const maxBatchUnits = 500;
/** Larger than the longest line that the schema accepts. */
const maxLineBytes = 16_000_000;
/** Limits the answers of a batch in memory, which takes about ten times as much to store. */
const maxBatchCharacters = 2_000_000;
/**
 * Limits the errors that one import reports, as JSON, because the gateway forwards at most 16 MiB. Later invalid lines
 * are rejected but not reported.
 */
const maxRejectedBytes = 12_000_000;
const droppedError = 'the day or the organisation was deleted during the import';

type Outcome = {
  imported: number;
  duplicates: number;
  skipped: number;
  rejected: { line: number; error: string }[];
};
type ImportOptions = { brandIds: Set<string>; tokenEvents: TokenEvents; allowUnknownMarkets: boolean };

export function operatorImportResultsRoute(ctx: Context): Route {
  return route(
    operatorImportResults,
    async ({ body, query }) => {
      const brandIds = new Set<string>();
      const tokenEvents: TokenEvents = new Map();
      let data: Outcome;
      try {
        const allowUnknownMarkets = query.allow_unknown_markets === 'true';
        data = await importLines(ctx, body, { brandIds, tokenEvents, allowUnknownMarkets });
      } finally {
        // Also after a failed import: the units it stored are kept.
        await finishImport(ctx.pool, brandIds, tokenEvents);
      }
      return { data, eventIds: [...tokenEvents.values()].map(({ eventId }) => eventId) };
    },
    { body: 'stream' },
  );
}

export function operatorCountBrandUnitsRoute(ctx: Context): Route {
  return route(operatorCountBrandUnits, async ({ params, query }) => {
    const brand = await findOwnBrandForOperator(ctx, params.brandId);
    const window = resolveWindow(query, getToday(ctx), maxWindowDays.standard);
    return { data: await countBrandUnits(ctx.pool, brand.id, window) };
  });
}

export function operatorDeleteBrandUnitsRoute(ctx: Context): Route {
  return route(operatorDeleteBrandUnits, async ({ params, body: { from, to } }) => {
    const brand = await findOwnBrandForOperator(ctx, params.brandId);
    const window = resolveWindow({ from, to }, getToday(ctx), maxWindowDays.standard);
    const { deleted, eventId } = await deleteImportedUnits(ctx.pool, brand.id, window);
    return { data: { deleted }, eventIds: eventId === undefined ? [] : [eventId] };
  });
}

/**
 * Stores the valid lines in batches as they arrive and reports the invalid ones by number. Adds their brands to
 * `brandIds`, and sets `tokenEvents` to the event of the last change token of each.
 */
async function importLines(
  ctx: Context,
  body: Readable,
  { brandIds, tokenEvents, allowUnknownMarkets }: ImportOptions,
): Promise<Outcome> {
  const outcome: Outcome = { imported: 0, duplicates: 0, skipped: 0, rejected: [] };
  const findSubject = createSubjectFinder(ctx);
  let markets: ReadonlySet<string> | null | undefined = allowUnknownMarkets ? null : undefined;
  /** Units with the numbers of their lines. */
  let batch = new Map<FinalisedUnit, number>();
  let characters = 0;
  let rejectedBytes = 0;
  const reject = (line: number, error: string): void => {
    if (rejectedBytes >= maxRejectedBytes) return;
    rejectedBytes += Buffer.byteLength(JSON.stringify({ line, error })) + 1;
    outcome.rejected.push({ line, error });
  };
  const flush = async () => {
    const units = batch;
    batch = new Map();
    characters = 0;
    if (units.size === 0) return;
    const batchResult = await importUnits(ctx.pool, [...units.keys()]);
    const { imported, dropped } = batchResult;
    for (const [brandId, tokenEvent] of batchResult.tokenEvents) tokenEvents.set(brandId, tokenEvent);
    outcome.imported += imported;
    outcome.duplicates += units.size - imported - dropped.size;
    for (const [unit, line] of units) if (dropped.has(unit)) reject(line, droppedError);
  };
  const processLine = async (line: { number: number; text: string }): Promise<string | undefined> => {
    const parsed = parseImportLine(line.text);
    if ('error' in parsed) return parsed.error;
    const { unit } = parsed;
    if (unit.outcome === 'failed') {
      outcome.skipped += 1;
      return undefined;
    }
    if (markets === undefined) markets = new Set(await callRpc(ctx.nats, marketsRpc, {}));
    const ruleViolation = checkImportRules(unit, { now: ctx.now(), markets });
    if (ruleViolation !== undefined) return ruleViolation;
    const subject = await findSubject(unit);
    if (typeof subject === 'string') return subject;
    const violation = checkImportSubject(unit, subject);
    if (violation !== undefined) return violation;
    brandIds.add(unit.brand_id);
    batch.set(toFinalisedUnit(unit, subject, ctx.now().toISOString()), line.number);
    return undefined;
  };
  for await (const line of readNdjsonLines(body, maxLineBytes)) {
    if ('text' in line && line.text.trim() === '') continue;
    const error = 'error' in line ? line.error : await processLine(line);
    if (error !== undefined) reject(line.number, error);
    if ('text' in line) characters += line.text.length;
    if (batch.size >= maxBatchUnits || characters >= maxBatchCharacters) await flush();
  }
  await flush();
  outcome.rejected.sort((a, b) => a.line - b.line);
  return outcome;
}
