import { writeJsonFile } from '../data-dir.ts';
import { StackFailure } from '../failure.ts';
import type { Say } from '../progress.ts';
import type { Stack } from '../stack.ts';
import { createApiClient, Refusal, type ApiClient } from './api-client.ts';
import { prepareBrand } from './brand.ts';
import { prepareCustomer, type Customer } from './customer.ts';
import { openDemoMemory } from './demo-state.ts';
import { describeCommands, describeFindings, readFindings } from './report.ts';
import { hasScanOfToday, runScan, type ScanOptions } from './scan.ts';
import { prepareWebhook } from './webhook.ts';

type DemoOptions = { say: Say; signal: AbortSignal };

export type Demo = { close(): Promise<void> };

/**
 * From nothing to a measured brand and a verified webhook, through the public and the operator's API alone.
 * The receiver of webhooks stays until `close`, for the scans that are asked for by hand.
 */
export async function runDemo(stack: Stack, options: DemoOptions): Promise<Demo> {
  try {
    return await runSteps(stack, options);
  } catch (error) {
    if (error instanceof Refusal) throw new StackFailure(`demo: ${error.message}`);
    throw error;
  }
}

async function runSteps(stack: Stack, { say, signal }: DemoOptions): Promise<Demo> {
  const memory = openDemoMemory(stack.dataDir);
  const clientFor = (token: string): ApiClient => createApiClient({ baseUrl: stack.baseUrl, token }, signal);
  const operator = createApiClient(
    { baseUrl: stack.operatorUrl, token: stack.secrets.operatorToken },
    signal,
  );
  const customer = await prepareCustomer({ operator, clientFor, memory, say });
  const { orgId, apiKey, partnerKey } = customer;
  const client = clientFor(apiKey);
  const { brandId, name } = await prepareBrand(client, orgId, say);
  writeStackFile(stack, customer, brandId);
  const partner = clientFor(partnerKey);
  const webhook = await prepareWebhook({ partner, memory, port: stack.ports.receiver, say });
  try {
    await scanAndReceive({ customer: client, operator, orgId, brandId, say, signal }, webhook);
    const findings = await readFindings(client, { orgId, brandId });
    if (findings === undefined) throw new StackFailure('the scan has ended, but no score was found');
    say(`${describeFindings(name, findings)}\n`);
  } catch (error) {
    await webhook.close();
    throw error;
  }
  const { baseUrl, operatorUrl, secrets } = stack;
  const operatorToken = secrets.operatorToken;
  say(`${describeCommands({ baseUrl, operatorUrl, operatorToken, orgId, brandId, apiKey })}\n`);
  webhook.announce();
  return webhook;
}

/** A scan and its webhook; where today's scan is there already, a ping shows that webhooks arrive. */
async function scanAndReceive(
  options: ScanOptions,
  webhook: Awaited<ReturnType<typeof prepareWebhook>>,
): Promise<void> {
  const { say } = options;
  if (await hasScanOfToday(options)) {
    const ping = await webhook.awaitPing();
    say(`demo: today's scan is there already; webhook received and verified (${ping.type})`);
    return;
  }
  const job = await runScan(options);
  const event = await webhook.awaitScanCompleted(job.job_id);
  say(`demo: webhook received and verified (${event.type})`);
}

/** Says where everything is, for scripts. */
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
