import { extract, type Judgement, type TrackedBrand } from '@bv/extraction';
import type { AnswerRow, ReadUnit } from '../db/reprocess-units.ts';
import { toReplacedUnit } from '../db/unit-rows.ts';
import { type BrandFinding, listUnjudged, rereadUnit } from '../domain/reread-unit.ts';
import { compareFindings } from '../domain/unit-difference.ts';

export type RereadTask = {
  tracked: readonly TrackedBrand[];
  units: readonly AnswerRow[];
  /** New judgements by unit and brand. */
  judgements: ReadonlyMap<string, ReadonlyMap<string, Judgement>>;
};

/** A unit that was read. `unjudged`: brands to verify that need a judgement. */
export type RereadUnit = ReadUnit & { unjudged: string[] };

const noJudgements: ReadonlyMap<string, Judgement> = new Map();

/** Reads units again. Runs in a thread, because an extraction takes milliseconds of CPU time. */
export function rereadUnits({ tracked, units, judgements }: RereadTask): RereadUnit[] {
  return units.map((unit) => reread(unit, tracked, judgements.get(unit.id) ?? noJudgements));
}

function reread(
  unit: AnswerRow,
  tracked: readonly TrackedBrand[],
  judgements: ReadonlyMap<string, Judgement>,
): RereadUnit {
  const stored = { ...unit, brands: JSON.parse(unit.brands) as BrandFinding[] };
  const sources = unit.cited_domains.map((domain) => ({ domain, cited: true }));
  const found = extract({ answerText: unit.answer_text, sources, brands: tracked });
  const unjudged = listUnjudged(stored, tracked, found).filter((id) => !judgements.has(id));
  const findings = rereadUnit(stored, tracked, found, judgements);
  const difference = compareFindings(stored, findings);
  return {
    unit_id: unit.id,
    unit_xmin: unit.xmin,
    replacement: difference === null ? null : JSON.stringify(toReplacedUnit(unit, findings)),
    hash_before: difference?.hashBefore ?? null,
    hash_after: difference?.hashAfter ?? null,
    unjudged,
  };
}
