import { one, type Transaction } from '@bv/postgres';

/**
 * Takes the lock of the one writer of a brand's prompts, held until the transaction ends; false when another holds
 * it. Taken before the organisation's row, so that a writer of a busy brand holds nothing that others need.
 */
export async function claimPromptWriter(tx: Transaction, brandId: string): Promise<boolean> {
  const { free } = await one<{ free: boolean }>(tx, {
    name: 'catalog.claim_prompt_writer',
    text: `select pg_try_advisory_xact_lock(hashtextextended('prompt-writer:' || $1, 0)) as free`,
    values: [brandId],
  });
  return free;
}
