import { ApiError, getScanPreview, type ScanPreview } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { decideScan } from '../commands/decide-scan.ts';
import { countUnits } from '../commands/queue-scan.ts';
import type { Context } from '../context.ts';
import { findAllowance } from '../db/allowances.ts';
import { findOpenJob } from '../db/jobs.ts';
import { findWorkerSettings } from '../db/worker-settings.ts';
import { priceUnits } from '../domain/answer-price.ts';
import { toUtcDay, toUtcMonth } from '../domain/calendar.ts';
import { currentAllowance, remainingScans } from '../domain/charge.ts';
import { requestScanPlan } from './scans.ts';

export function getScanPreviewRoute(ctx: Context): Route {
  return route(getScanPreview, async ({ params: { orgId, brandId } }) => {
    const { pool, now } = ctx;
    const plan = await requestScanPlan(ctx, orgId, brandId);
    const { used, credits } = currentAllowance(await findAllowance(pool, orgId), toUtcMonth(now()));
    const decided = await decideScan(
      { plan, trigger: 'manual' },
      {
        findOpen: () => findOpenJob(pool, brandId, toUtcDay(now())),
        getAllowance: async () => ({ used, credits }),
      },
    );
    const units = countUnits(plan.prompts);
    const { prices } = await findWorkerSettings(pool);
    return {
      data: {
        units: [...units.values()].reduce((sum, count) => sum + count, 0),
        prompts: plan.prompts.length,
        platforms: Array.from(units, ([platform, count]) => ({
          platform,
          units: count,
          price_usd: prices[platform] ?? null,
          cost_usd: priceUnits({ [platform]: count }, prices),
        })),
        cost_usd: priceUnits(Object.fromEntries(units), prices),
        allowance: {
          manual_scans_remaining: remainingScans(used, plan.org.limits.manual_scans),
          scan_credits: credits,
        },
        would_refuse: decided instanceof ApiError ? (decided.code as ScanPreview['would_refuse']) : null,
      },
    };
  });
}
