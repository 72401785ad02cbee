import type { TypedEnvelope, jobChanged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { scoreScanIfComplete } from '../commands/score-scan.ts';
import { moveBrandToken } from '../db/brand-tokens.ts';
import { upsertScan } from '../db/scans.ts';
import { publishBrandChanged } from './publish.ts';

const finalStatuses = new Set(['completed', 'partial', 'failed', 'cancelled']);

export async function onJobChanged(
  tx: Transaction,
  envelope: TypedEnvelope<typeof jobChanged>,
): Promise<void> {
  const { units, idempotency_key: _, ...job } = envelope.data;
  if (finalStatuses.has(job.status)) {
    // Lock the token before the scan's row, as every writer does. Another order could deadlock.
    const token = await moveBrandToken(tx, { id: job.brand_id, orgId: job.org_id });
    await publishBrandChanged(tx, { brandId: job.brand_id, orgId: job.org_id, token });
  }
  const changed = await upsertScan(tx, {
    ...job,
    units_total: units.total,
    units_answered: units.answered,
    units_no_answer: units.no_answer,
    units_failed: units.failed,
    version: envelope.version,
  });
  if (changed > 0) await scoreScanIfComplete(tx, job.job_id);
}
