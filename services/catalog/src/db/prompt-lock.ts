import { one, type Transaction } from '@bv/postgres';

/**
 * Tries to acquire the advisory lock for writes to a brand's prompts. Returns false if another transaction holds it.
 * It is acquired before the organisation's row lock: a rejected write must not block the rest of the organisation.
 */
export async function tryPromptLock(tx: Transaction, brandId: string): Promise<boolean> {
  const { free } = await one<{ free: boolean }>(tx, {
    name: 'catalog.try_prompt_lock',
    text: `select pg_try_advisory_xact_lock(hashtextextended('prompt-writer:' || $1, 0)) as free`,
    values: [brandId],
  });
  return free;
}
