import { createHash } from 'node:crypto';
import type { BrandFinding, UnitFindings } from './reread-unit.ts';

/**
 * How the findings of a unit differ. Clients see the same if `hashAfter` starts with `hashBefore`: each is a hash without
 * evidence, then one with it. `hashBefore` has only the first where evidence is added.
 */
export type UnitDifference = { hashBefore: string; hashAfter: string };

/** Compares the stored findings of a unit with new ones. Null: nothing differs. */
export function compareFindings(stored: UnitFindings, current: UnitFindings): UnitDifference | null {
  if (toText(stored, toStoredRow) === toText(current, toStoredRow)) return null;
  const [hashWithout, hashWith] = hashShown(stored);
  return {
    hashBefore: isEvidenceAdded(stored, current) ? hashWithout : `${hashWithout}${hashWith}`,
    hashAfter: hashShown(current).join(''),
  };
}

/** Whether a mentioned brand has no stored evidence, and gets some or leaves. A kept finding stays without. */
function isEvidenceAdded(stored: UnitFindings, current: UnitFindings): boolean {
  const after = new Map(current.brands.map(({ brand_id, evidence }) => [brand_id, evidence]));
  return stored.brands.some(
    ({ brand_id, mentioned, evidence }) => mentioned && evidence === null && after.get(brand_id) !== null,
  );
}

const hashShown = (findings: UnitFindings): [string, string] => [
  hash(toText(findings, (brand) => toShownRow({ ...brand, evidence: null }))),
  hash(toText(findings, toShownRow)),
];

function toText(findings: UnitFindings, toRow: (brand: BrandFinding) => unknown): string {
  const brands = findings.brands.toSorted((a, b) => (a.brand_id < b.brand_id ? -1 : 1));
  // Results show a missing method as `words`.
  return JSON.stringify([
    findings.sentiment_method,
    findings.mention_method ?? 'words',
    brands.map((brand) => toRow(brand)),
  ]);
}

function toShownRow(brand: BrandFinding) {
  const { brand_id, mentioned, mention_count, position, sentiment, cited, evidence } = brand;
  const shownEvidence = mentioned ? (evidence ?? []) : [];
  return [brand_id, mentioned, mention_count, position, sentiment, cited, shownEvidence];
}

function toStoredRow(brand: BrandFinding) {
  const { name, domain, is_own, evidence, means_brand } = brand;
  return [toShownRow(brand), name, domain, is_own, evidence ?? [], means_brand];
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
