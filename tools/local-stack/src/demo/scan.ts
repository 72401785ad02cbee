import { setTimeout as sleep } from 'node:timers/promises';
import { getScan, listBrandSummaries, operatorAddScanCredits, requestScan, type ScanJob } from '@bv/contract';
import { StackFailure } from '../failure.ts';
import type { Reporter } from '../reporter.ts';
import { isRefusal, type ApiClient } from './api-client.ts';
import { getToday } from './day.ts';

const scanTimeoutMs = 10 * 60_000;
const pollMs = 500;
const creditsGranted = 10;

export type ScanOptions = {
  customer: ApiClient;
  operator: ApiClient;
  orgId: string;
  brandId: string;
  report: Reporter;
  signal: AbortSignal;
};

/** Whether a scan of today has results, so that the demo does not need another one. */
export async function hasScanToday({ customer, orgId, brandId }: ScanOptions): Promise<boolean> {
  const summaries = await customer.list(listBrandSummaries, { params: { orgId } });
  const summary = summaries.find(({ id }) => id === brandId);
  const today = getToday();
  const ended = summary?.last_scan_status === 'completed' || summary?.last_scan_status === 'partial';
  return ended && summary.score_date === today && !summary.scan_in_progress;
}

/** Requests a scan, or joins the one in progress, and waits until it ends. */
export async function runScan(options: ScanOptions): Promise<ScanJob> {
  const { customer, orgId, brandId, report, signal } = options;
  const jobId = await startScan(options);
  const deadline = performance.now() + scanTimeoutMs;
  let shown = '';
  for (;;) {
    const job = await customer.item(getScan, { params: { orgId, brandId, jobId } });
    const { total, answered, no_answer: noAnswer, failed } = job.units;
    const progress = `demo: scan ${job.status}, ${answered + noAnswer + failed} of ${total} units done`;
    if (progress !== shown) report(progress);
    shown = progress;
    if (job.completed_at !== null) return requireResults(job);
    if (performance.now() > deadline)
      throw new StackFailure(`the scan did not end in ${scanTimeoutMs / 60_000} minutes`);
    await sleep(pollMs, undefined, { signal });
  }
}

function requireResults(job: ScanJob): ScanJob {
  if (job.status === 'completed' || job.status === 'partial') return job;
  throw new StackFailure(`the scan ended as ${job.status} (${JSON.stringify(job.units)})`);
}

async function startScan(options: ScanOptions): Promise<string> {
  const { customer, operator, orgId, brandId, report } = options;
  const request = async (): Promise<string> =>
    (await customer.item(requestScan, { params: { orgId, brandId } })).job_id;
  try {
    return await request();
  } catch (error) {
    if (isRefusal(error, 'scan_already_queued')) {
      const { job_id: jobId } = error.details as { job_id: string | null };
      if (jobId !== null) return jobId;
    }
    if (!isRefusal(error, 'no_manual_scans')) throw error;
  }
  report(`demo: the month's manual scans are used up: granting ${creditsGranted} credits`);
  await operator.item(operatorAddScanCredits, { params: { orgId }, body: { amount: creditsGranted } });
  return request();
}
