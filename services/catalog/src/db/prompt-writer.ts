import { one, type Transaction } from '@bv/postgres';

/**
 * The lock of whoever writes a brand's prompts, held until the transaction ends. Taken before the
 * organisation's row, so that those who wait for a busy brand hold nothing the others need.
 */
const key = `hashtextextended('prompt-writer:' || $1, 0)`;

/** Waits for at most the `lock_timeout` of the transaction; SQLSTATE 55P03 when that passes. */
export async function lockPromptWriter(tx: Transaction, brandId: string): Promise<void> {
  await one(tx, {
    name: 'catalog.lock-prompt-writer',
    text: `select pg_advisory_xact_lock(${key})`,
    values: [brandId],
  });
}

/** Whether the lock was free. */
export async function claimPromptWriter(tx: Transaction, brandId: string): Promise<boolean> {
  const { free } = await one<{ free: boolean }>(tx, {
    name: 'catalog.claim-prompt-writer',
    text: `select pg_try_advisory_xact_lock(${key}) as free`,
    values: [brandId],
  });
  return free;
}

/** How long the transaction waits for a lock from here on; 0 is without end. */
export async function setLockTimeout(tx: Transaction, timeoutMs: number): Promise<void> {
  await one(tx, {
    name: 'catalog.set-lock-timeout',
    text: `select set_config('lock_timeout', $1, true)`,
    values: [String(timeoutMs)],
  });
}
