import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@bv/local-stack';
import type { ApiResponse } from './client.ts';
import type { Tenant } from './fixture.ts';
import type { System } from './system.ts';

export type CallService = System['call'];

const ordinaryWords = ['the', 'and', 'is'];

/** Changes what answers are searched for and has them read again, until a process ends or the time is over. */
export async function reprocessUntil(
  exited: Promise<unknown>,
  { call, tenant, maxWaitMs }: { call: CallService; tenant: Tenant; maxWaitMs: number },
): Promise<void> {
  const { ids, customer } = tenant;
  let isOver = false;
  const over = Promise.race([exited, sleep(maxWaitMs)]).then(() => {
    isOver = true;
  });
  for (let turn = 0; !isOver; turn += 1) {
    const path = `/orgs/${ids['orgId']}/brands/${ids['brandId']}`;
    const body = { aliases: turn % 2 === 0 ? ordinaryWords : [] };
    // The responses of a service that is crashing do not matter.
    await call('PATCH', path, { key: customer.key, body }).catch(() => undefined);
    await Promise.race([over, reprocess(call, tenant).catch(() => sleep(500))]);
  }
}

/** Waits for the end of a new job, or of the open one. */
async function reprocess(call: CallService, { ids, customer }: Tenant): Promise<ApiResponse['body']> {
  const path = `/orgs/${ids['orgId']}/brands/${ids['brandId']}/reprocess-requests`;
  const requested = await call('POST', path, { key: customer.key });
  const jobId: string = requested.body.data?.job_id ?? requested.body.error?.details?.job_id;
  const read = async () => (await call('GET', `${path}/${jobId}`, { key: customer.key })).body.data;
  await waitUntil(async () => (await read()).completed_at !== null, { timeoutMs: 60_000, intervalMs: 200 });
  return read();
}

/** Waits for the end of the jobs. A further job must find every answer as the current brands say, and change nothing. */
export async function checkReprocess(system: System, tenant: Tenant): Promise<string[]> {
  const call: CallService = (...sent) => system.call(...sent);
  await reprocess(call, tenant);
  const { status, units } = await reprocess(call, tenant);
  const violations: string[] = [];
  if (status !== 'completed' || units.total === 0 || units.done !== units.total)
    violations.push(`a reprocess job ended ${status} with ${units.done} of ${units.total} units`);
  if (units.changed > 0) violations.push(`${units.changed} units were not as their job left them`);
  const open = await system.rows<{ id: string; status: string }>(
    `select id, status from results.reprocess_jobs where brand_id = $1 and status <> 'completed'`,
    [tenant.ids['brandId']],
  );
  return [...violations, ...open.map(({ id, status: left }) => `reprocess job ${id} is ${left}`)];
}
