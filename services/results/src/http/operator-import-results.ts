import type { Readable } from 'node:stream';
import { operatorImportResults } from '@bv/contract';
import { marketsRpc } from '@bv/events';
import { route } from '@bv/http';
import { importUnits } from '../commands/import-units.ts';
import type { TokenEvents } from '../commands/ingest-units.ts';
import { scoreUnscoredDays } from '../commands/score-unscored-days.ts';
import { tellOvertaken } from '../commands/tell-overtaken.ts';
import type { Context } from '../context.ts';
import { parseImportLine } from '../domain/import-line.ts';
import { importRefusal, ruleRefusal, unitOfImport } from '../domain/imported-unit.ts';
import { askCatalog } from './ask-catalog.ts';
import { importSubjects } from './import-subjects.ts';
import { linesOf } from './lines-of.ts';
import { todayOf } from './walk.ts';

const BATCH = 500;
/** Above the longest line the schema takes. */
const LINE_LIMIT_BYTES = 16_000_000;
/** Answers of a batch in memory; long ones make it smaller. */
const BATCH_LIMIT_CHARACTERS = 16_000_000;
/** Reasons reported of one import, as JSON; the lines beyond are refused as well. The gateway hands on 16 MiB. */
const REJECTED_LIMIT_BYTES = 12_000_000;

type Outcome = {
  imported: number;
  duplicates: number;
  skipped: number;
  rejected: { line: number; error: string }[];
};
type ImportOptions = { tokenEvents: TokenEvents; allowUnknownMarkets: boolean };

/**
 * Applies the good lines batch by batch as they arrive and reports the bad ones by number. Keeps of each brand the
 * event that tells its last change token.
 */
async function importLines(
  ctx: Context,
  body: Readable,
  { tokenEvents, allowUnknownMarkets }: ImportOptions,
): Promise<Outcome> {
  const outcome: Outcome = { imported: 0, duplicates: 0, skipped: 0, rejected: [] };
  const subjectFor = importSubjects(ctx);
  let markets: ReadonlySet<string> | null | undefined = allowUnknownMarkets ? null : undefined;
  let batch: ReturnType<typeof unitOfImport>[] = [];
  let characters = 0;
  let rejectedBytes = 0;
  const flush = async () => {
    const units = batch;
    batch = [];
    characters = 0;
    if (units.length === 0) return;
    const done = await importUnits(ctx.pool, units);
    for (const [brandId, told] of done.tokenEvents) tokenEvents.set(brandId, told);
    outcome.imported += done.imported;
    outcome.duplicates += units.length - done.imported;
  };
  const judge = async (text: string): Promise<string | undefined> => {
    const parsed = parseImportLine(text);
    if ('error' in parsed) return parsed.error;
    const { unit } = parsed;
    if (unit.outcome === 'failed') {
      outcome.skipped += 1;
      return undefined;
    }
    if (markets === undefined) markets = new Set(await askCatalog(ctx, marketsRpc, {}));
    const ruled = ruleRefusal(unit, { today: todayOf(ctx), markets });
    if (ruled !== undefined) return ruled;
    const subject = await subjectFor(unit);
    if (typeof subject === 'string') return subject;
    const refusal = importRefusal(unit, subject);
    if (refusal === undefined) batch.push(unitOfImport(unit, subject, ctx.now().toISOString()));
    return refusal;
  };
  for await (const line of linesOf(body, LINE_LIMIT_BYTES)) {
    if ('text' in line && line.text.trim() === '') continue;
    const error = 'error' in line ? line.error : await judge(line.text);
    if (error !== undefined && rejectedBytes < REJECTED_LIMIT_BYTES) {
      const rejected = { line: line.number, error };
      rejectedBytes += Buffer.byteLength(JSON.stringify(rejected)) + 1;
      outcome.rejected.push(rejected);
    }
    if ('text' in line) characters += line.text.length;
    if (batch.length >= BATCH || characters >= BATCH_LIMIT_CHARACTERS) await flush();
  }
  await flush();
  return outcome;
}

export const operatorImportResultsRoute = (ctx: Context) =>
  route(
    operatorImportResults,
    async ({ body, query }) => {
      const tokenEvents: TokenEvents = new Map();
      let data: Outcome;
      try {
        const allowUnknownMarkets = query.allow_unknown_markets === 'true';
        data = await importLines(ctx, body, { tokenEvents, allowUnknownMarkets });
      } finally {
        // Also of an import that broke off: what it stored stands.
        const scored = await scoreUnscoredDays(ctx.pool);
        for (const [brandId, told] of scored) tokenEvents.set(brandId, told);
        await tellOvertaken(ctx.pool, tokenEvents);
        ctx.onPublished();
      }
      return { data, eventIds: [...tokenEvents.values()].map(({ eventId }) => eventId) };
    },
    { body: 'stream' },
  );
