import { createHash } from 'node:crypto';
import type { BrandFinding, UnitFindings } from './reread-unit.ts';

/** How the findings of a unit differ. The hashes are equal if clients see the same, apart from added evidence. */
export type UnitDifference = { hashBefore: string; hashAfter: string };

/** Compares the stored findings of a unit with new ones. Null: nothing differs. */
export function compareFindings(stored: UnitFindings, current: UnitFindings): UnitDifference | null {
  if (toText(stored, toStoredRow) === toText(current, toStoredRow)) return null;
  const added = new Map(current.brands.map(({ brand_id, evidence }) => [brand_id, evidence]));
  const before = { ...stored, brands: stored.brands.map((brand) => withEvidence(brand, added)) };
  return { hashBefore: hash(toText(before, toShownRow)), hashAfter: hash(toText(current, toShownRow)) };
}

const withEvidence = (brand: BrandFinding, added: ReadonlyMap<string, number[] | null>): BrandFinding => ({
  ...brand,
  evidence: brand.evidence ?? added.get(brand.brand_id) ?? null,
});

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
