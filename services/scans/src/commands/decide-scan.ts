import { ApiError, type ScanJob } from '@bv/contract';
import type { ScanPlan } from '@bv/events';
import { type Charged, chooseCharge, remainingScans } from '../domain/charge.ts';
import type { OpenJob } from '../db/jobs.ts';

/** What a decision depends on besides the plan. A write claims and locks it, a preview reads it. */
export type ScanState = {
  /** The open scan of the day that prevents another one; its members are null where it ended meanwhile. */
  findOpen(): Promise<OpenJob | { id: null; idempotency_key: null } | undefined>;
  getAllowance(): Promise<{ used: number; credits: number }>;
};

/** The refusal of a scan, in the order the API documents, or what it is charged to. */
export async function decideScan(
  { plan, trigger }: { plan: ScanPlan; trigger: ScanJob['trigger'] },
  state: ScanState,
): Promise<ApiError | Charged> {
  const { org, brand, archived, prompts } = plan;
  const details = { brand_id: brand.id };
  if (trigger === 'manual' && !org.on_demand_scans) return new ApiError('tier_not_entitled');
  if (archived) return new ApiError('brand_archived', { details });
  if (prompts.length === 0) return new ApiError('no_active_prompts', { details });
  const open = await state.findOpen();
  if (open !== undefined) {
    const { id, idempotency_key } = open;
    return new ApiError('scan_already_queued', { details: { job_id: id, idempotency_key } });
  }
  if (trigger === 'scheduled') return 'none';
  const limit = org.limits.manual_scans;
  const allowance = await state.getAllowance();
  const charged = chooseCharge(allowance, limit);
  if (charged !== null) return charged;
  return new ApiError('no_manual_scans', {
    details: {
      manual_scans_remaining: remainingScans(allowance.used, limit) ?? 0,
      scan_credits: allowance.credits,
    },
  });
}
