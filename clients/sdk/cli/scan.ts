import { type BrandVisibilityClient, isApiError } from '@bv/sdk';
import { CommandError } from './failure.ts';

type At = { orgId: string; brandId: string };

/** Returns the id of a new scan, or of the one that is queued: it serves the same purpose. */
async function requestScan(client: BrandVisibilityClient, at: At): Promise<string> {
  try {
    return (await client.requestScan(at)).job_id;
  } catch (error) {
    const queued = isApiError(error, 'scan_already_queued') ? error.details?.job_id : undefined;
    if (queued === undefined || queued === null) throw error;
    return queued;
  }
}

/** Requests a scan. With a timeout it waits for its end. */
export async function runScan(
  client: BrandVisibilityClient,
  at: At,
  timeoutMs: number | undefined,
  print: (line: string) => void,
): Promise<void> {
  const jobId = await requestScan(client, at);
  print(`scan ${jobId}`);
  if (timeoutMs === undefined) return;
  const { status, units } = await client.waitForScan({ ...at, jobId }, { timeoutMs, pollIntervalMs: 2_000 });
  const { total, answered, no_answer: empty, failed } = units;
  print(`${status}: ${answered} answers, ${empty} without an answer and ${failed} failed of ${total}`);
  if (status === 'failed' || status === 'cancelled') throw new CommandError(`the scan is ${status}`);
}
