import { isDeepStrictEqual } from 'node:util';
import { type Judgement, rankNames, readAnswer, type TrackedBrand } from '@bv/extraction';
import type { ReadUnit } from '../commands/replace-day.ts';
import type { AnswerRow } from '../db/stored-answers.ts';
import { toReplacedUnit, toStoredNames } from '../db/unit-rows.ts';
import {
  type BrandFinding,
  hasSameFindings,
  listUnjudged,
  mentionsCompetitor,
  rereadUnit,
} from '../domain/reread-unit.ts';

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
  const input = { answerText: unit.answer_text, sources, brands: tracked };
  const { brands: found, others } = readAnswer(input);
  const unjudged = listUnjudged(stored, tracked, found).filter((id) => !judgements.has(id));
  const findings = rereadUnit(stored, tracked, found, judgements);
  const starts = findings.brands.flatMap(({ mentioned, evidence }) =>
    mentioned ? (evidence?.[0] ?? []) : [],
  );
  const names = toStoredNames(rankNames(others, starts));
  const replaced = toReplacedUnit(unit, findings, names);
  const isSame = hasSameFindings(stored, findings) && isDeepStrictEqual(unit.others, names);
  return {
    unit_id: unit.id,
    xmin: unit.xmin,
    replacement: isSame ? null : JSON.stringify(replaced),
    moves_sources:
      unit.others === null ||
      replaced.mentioned !== unit.mentioned ||
      mentionsCompetitor(findings.brands) !== mentionsCompetitor(stored.brands),
    unjudged,
  };
}
