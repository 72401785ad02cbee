import type { brandChanged, orgChanged, promptChanged, TypedEnvelope } from '@bv/events';
import { recordPurge } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { applyBrand, applyPrompt } from '../commands/apply-catalog-state.ts';
import { upsertOrg } from '../db/orgs.ts';

export function onBrandChanged(tx: Transaction, envelope: TypedEnvelope<typeof brandChanged>): Promise<void> {
  return applyBrand(tx, envelope.version, envelope.data);
}

export function onPromptChanged(
  tx: Transaction,
  envelope: TypedEnvelope<typeof promptChanged>,
): Promise<void> {
  return applyPrompt(tx, envelope.version, envelope.data);
}

export async function onOrgChanged(
  tx: Transaction,
  { data, version }: TypedEnvelope<typeof orgChanged>,
): Promise<void> {
  await upsertOrg(tx, data, version);
  await recordPurge(tx, data);
}
