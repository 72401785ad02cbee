import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ImportedUnit, operatorImportResults } from '@bv/contract';
import { route } from '@bv/http';
import { importUnits } from '../commands/import-units.ts';
import type { Context } from '../context.ts';
import { listBrandsByIds } from '../db/brands.ts';
import { importRefusal, type ImportSubject, unitOfImport } from '../domain/imported-unit.ts';
import { findKnownBrand } from './find-own-brand.ts';
import { findKnownPrompt } from './find-prompt.ts';

const BATCH = 500;
/** Reasons reported of one import; the lines beyond are refused as well. */
const REJECTED_LIMIT = 10_000;
const SUBJECTS_LIMIT = 10_000;

type Parsed = { unit: ImportedUnit } | { error: string };

function parseLine(line: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { error: 'not valid JSON' };
  }
  const parsed = ImportedUnit.safeParse(value);
  if (parsed.success) return { unit: parsed.data };
  const reasons = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return { error: reasons.slice(0, 5).join('; ') };
}

async function subjectOf(ctx: Context, unit: ImportedUnit): Promise<ImportSubject | string> {
  const brand = await findKnownBrand(ctx, unit.brand_id);
  if (brand === undefined) return 'brand_id: not found';
  if (!brand.is_own) return 'brand_id: not an own brand';
  const prompt = await findKnownPrompt(ctx, unit.prompt_id);
  if (prompt === undefined) return 'prompt_id: not found';
  const competitors = await listBrandsByIds(ctx.pool, brand.competitor_ids);
  return { orgId: brand.org_id, own: brand, competitors, promptBrandId: prompt.brand_id };
}

/** What a brand and prompt are is asked once an import; the memory of it is bounded. */
function subjects(ctx: Context) {
  const known = new Map<string, ImportSubject | string>();
  return async (unit: ImportedUnit): Promise<ImportSubject | string> => {
    const key = `${unit.brand_id}/${unit.prompt_id}`;
    const found = known.get(key) ?? (await subjectOf(ctx, unit));
    if (known.size >= SUBJECTS_LIMIT) known.clear();
    known.set(key, found);
    return found;
  };
}

type Outcome = { imported: number; duplicates: number; rejected: { line: number; error: string }[] };

/** Applies the good lines batch by batch as they arrive and reports the bad ones by number. */
async function importLines(ctx: Context, body: Readable): Promise<Outcome> {
  const outcome: Outcome = { imported: 0, duplicates: 0, rejected: [] };
  const subjectFor = subjects(ctx);
  let batch: ReturnType<typeof unitOfImport>[] = [];
  const flush = async () => {
    const units = batch;
    batch = [];
    if (units.length === 0) return;
    const imported = await importUnits(ctx, units);
    outcome.imported += imported;
    outcome.duplicates += units.length - imported;
  };
  const judge = async (text: string): Promise<string | undefined> => {
    const parsed = parseLine(text);
    if ('error' in parsed) return parsed.error;
    const subject = await subjectFor(parsed.unit);
    if (typeof subject === 'string') return subject;
    const refusal = importRefusal(parsed.unit, subject);
    if (refusal === undefined) batch.push(unitOfImport(parsed.unit, subject, ctx.now().toISOString()));
    return refusal;
  };
  let line = 0;
  for await (const text of createInterface({ input: body, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === '') continue;
    const error = await judge(text);
    if (error !== undefined && outcome.rejected.length < REJECTED_LIMIT)
      outcome.rejected.push({ line, error });
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  return outcome;
}

export const operatorImportResultsRoute = (ctx: Context) =>
  route(operatorImportResults, async ({ body }) => ({ data: await importLines(ctx, body) }), {
    body: 'stream',
  });
