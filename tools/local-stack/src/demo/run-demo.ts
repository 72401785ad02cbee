import { writeJsonFile } from '../data-dir.ts';
import { StackFailure } from '../failure.ts';
import type { Reporter } from '../reporter.ts';
import type { Stack } from '../stack.ts';
import { createApiClient, Refusal, type ApiClient } from './api-client.ts';
import { prepareBrand } from './brand.ts';
import { prepareCustomer, type Customer } from './customer.ts';
import { openDemoStore } from './demo-store.ts';
import { importHistory } from './history.ts';
import { describeCommands, describeFindings, readFindings } from './report.ts';
import { hasScanToday, runScan, type ScanOptions } from './scan.ts';
import { describeTrend, readTrend } from './trend.ts';
import { prepareWebhook } from './webhook.ts';

type DemoOptions = { report: Reporter; signal: AbortSignal };

export type Demo = {
  /** Opens the explorer with the key of the demo. */
  explorerUrl: string;
  close(): Promise<void>;
};

/**
 * Creates and measures a brand and verifies its webhook, through the public API and the operator API only.
 * The webhook receiver runs until `close`, for scans that the user requests later.
 */
export async function runDemo(stack: Stack, options: DemoOptions): Promise<Demo> {
  try {
    return await runSteps(stack, options);
  } catch (error) {
    if (error instanceof Refusal) throw new StackFailure(`demo: ${error.message}`);
    throw error;
  }
}

async function runSteps(stack: Stack, { report, signal }: DemoOptions): Promise<Demo> {
  const store = openDemoStore(stack.dataDir);
  const clientFor = (token: string): ApiClient => createApiClient({ baseUrl: stack.baseUrl, token }, signal);
  const operator = createApiClient(
    { baseUrl: stack.operatorUrl, token: stack.secrets.operatorToken },
    signal,
  );
  const customer = await prepareCustomer({ operator, clientFor, store, report });
  const { orgId, apiKey, partnerKey } = customer;
  const client = clientFor(apiKey);
  const { brandId, name } = await prepareBrand(client, orgId, report);
  writeStackFile(stack, customer, brandId);
  const partner = clientFor(partnerKey);
  const webhook = await prepareWebhook({ partner, store, port: stack.ports.receiver, report });
  try {
    await scanAndReceive({ customer: client, operator, orgId, brandId, report, signal }, webhook);
    // Real and simulated answers must not mix.
    if (stack.isAllSimulated) await importHistory({ customer: client, operator, orgId, brandId, report });
    const findings = await readFindings(client, { orgId, brandId });
    if (findings === undefined) throw new StackFailure('the scan has ended, but no score was found');
    report(`${describeFindings(name, findings)}\n`);
    const trend = await readTrend(client, { orgId, brandId });
    report(`${describeTrend(trend, process.stdout.columns ?? 80)}\n`);
  } catch (error) {
    await webhook.close();
    throw error;
  }
  const { baseUrl, operatorUrl, secrets } = stack;
  const operatorToken = secrets.operatorToken;
  report(`${describeCommands({ baseUrl, operatorUrl, operatorToken, orgId, brandId, apiKey })}\n`);
  webhook.announce();
  return { explorerUrl: new URL(`/explore#key=${apiKey}`, baseUrl).href, close: () => webhook.close() };
}

/** Runs a scan and waits for its webhook. If today's scan exists, a ping verifies the webhook instead. */
async function scanAndReceive(
  options: ScanOptions,
  webhook: Awaited<ReturnType<typeof prepareWebhook>>,
): Promise<void> {
  const { report } = options;
  if (await hasScanToday(options)) {
    const ping = await webhook.awaitPing();
    report(`demo: today's scan exists already; webhook received and verified (${ping.type})`);
    return;
  }
  const job = await runScan(options);
  const event = await webhook.awaitScanCompleted(job.job_id);
  report(`demo: webhook received and verified (${event.type})`);
}

/** Writes URLs, tokens and ids for scripts. */
function writeStackFile(stack: Stack, { orgId, apiKey, partnerKey }: Customer, brandId: string): void {
  writeJsonFile(stack.dataDir.stackFile, {
    base_url: stack.baseUrl,
    operator_url: stack.operatorUrl,
    operator_token: stack.secrets.operatorToken,
    simulator_url: stack.simulatorUrl,
    postgres_url: stack.urls.postgres,
    redis_url: stack.urls.redis,
    nats_url: stack.urls.nats,
    demo: { org_id: orgId, brand_id: brandId, api_key: apiKey, partner_key: partnerKey },
  });
}
