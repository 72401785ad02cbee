import type { Queryable } from '@bv/postgres';
import type { PromptUsage } from '../domain/caps.ts';
import { countOwnBrands } from './brands.ts';
import { getMaxCompetitors } from './competitors.ts';
import { findScanAllowance, type ScanAllowanceRow } from './projections.ts';
import { getPromptUsage } from './prompt-counts.ts';

export type OrgUsageRows = {
  prompts: PromptUsage;
  ownBrands: number;
  maxCompetitors: number;
  allowance: ScanAllowanceRow | undefined;
};

/** Reads the usage of all limits of an organisation's plan. */
export async function getOrgUsage(db: Queryable, orgId: string): Promise<OrgUsageRows> {
  return {
    prompts: await getPromptUsage(db, orgId),
    ownBrands: await countOwnBrands(db, orgId),
    maxCompetitors: await getMaxCompetitors(db, orgId),
    allowance: await findScanAllowance(db, orgId),
  };
}
