/**
 * Compares a tool call of MCP with the request of the API that it runs, and with a message that runs none, against the
 * whole product. Prints latency, and CPU of the gateway's process for each request.
 */
import { Agent, request as httpRequest } from 'node:http';
import {
  forceOption,
  cpuMsOfTree,
  createSampler,
  measureRounds,
  median,
  otherLoadText,
  pairRounds,
  quantile,
  ratioText,
  readBenchOptions,
} from '@bv/measure';
import { startFullStack, type FullStack } from '@bv/testkit';

const options = readBenchOptions('mcp', {
  rounds: { default: '5', description: 'rounds that measure every kind of request once' },
  requests: { default: '2000', description: 'requests of a sample' },
  connections: { default: '4', description: 'connections that send requests' },
  force: forceOption,
});
const rounds = Number(options.rounds);
const requests = Number(options.requests);
const connections = Number(options.connections);

type Kind = { name: string; method: string; path: string; body?: string };
type Sample = { p50Ms: number; p95Ms: number; cpuUs: number };

const message = (method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** The tool runs the first request. */
const kinds: Kind[] = [
  { name: 'REST listOrgs', method: 'GET', path: '/v1/orgs?limit=200' },
  {
    name: 'MCP list_organisations',
    method: 'POST',
    path: '/mcp',
    body: message('tools/call', { name: 'list_organisations', arguments: {} }),
  },
  { name: 'MCP ping', method: 'POST', path: '/mcp', body: message('ping', {}) },
];

/** Creates an organisation and returns its key, which no allowance limits. */
async function createKey({ stack }: FullStack): Promise<string> {
  const operate = async (path: string, body: object): Promise<{ id: string; key: string }> => {
    const response = await fetch(`${stack.operatorUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stack.secrets.operatorToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: { id: string; key: string } }).data;
  };
  const { id } = await operate('/orgs', { name: 'MCP', tier: 'scale' });
  return (await operate(`/orgs/${id}/keys`, { scopes: ['read'], per_minute: 1_000_000 })).key;
}

/** Sends one request and returns its duration in milliseconds. */
function send(origin: string, key: string, { method, path, body }: Kind, agent: Agent): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
  };
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = httpRequest(new URL(path, origin), { method, headers, agent }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startMs);
        else reject(new Error(`${method} ${path}: ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function measure(product: FullStack, key: string, kind: Kind): Promise<Sample> {
  const origin = new URL(product.stack.baseUrl).origin;
  const pid = product.stack.services.get('gateway')?.pid();
  if (pid === undefined) throw new Error('the gateway does not run');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const durations: number[] = [];
  const startCpuMs = cpuMsOfTree(pid);
  const work = async (): Promise<void> => {
    while (durations.length < requests) durations.push(await send(origin, key, kind, agent));
  };
  await Promise.all(Array.from({ length: connections }, work));
  const cpuMs = cpuMsOfTree(pid) - startCpuMs;
  agent.destroy();
  return {
    p50Ms: quantile(durations, 0.5),
    p95Ms: quantile(durations, 0.95),
    cpuUs: (cpuMs * 1_000) / durations.length,
  };
}

const report = (text: string): boolean => process.stderr.write(`${text}\n`);
const sampler = createSampler({ force: options.force, report });
const product = await startFullStack({ CHECK_RESPONSES: 'false' });
try {
  const key = await createKey(product);
  const targets = kinds.map((kind) => ({ name: kind.name, measure: () => measure(product, key, kind) }));
  const describe = ({ cpuUs }: Sample): string => `${cpuUs.toFixed(0)} us CPU`;
  const samples = await measureRounds(targets, { rounds, sampler, report, describe });
  console.log(`${rounds} rounds of ${requests} requests over ${connections} connections, medians`);
  const [rest = []] = samples;
  for (const [at, { name }] of kinds.entries()) {
    const its = samples[at] ?? [];
    const of = (figure: keyof Sample): number => median(its.map((sample) => sample[figure]));
    const ratio = ratioText(pairRounds(its, rest, ({ cpuUs }) => cpuUs));
    console.log(
      `${name}: p50 ${of('p50Ms').toFixed(2)} ms, p95 ${of('p95Ms').toFixed(2)} ms, ${of('cpuUs').toFixed(0)} us CPU of the gateway, ${ratio} times that of REST`,
    );
  }
  console.log(otherLoadText(sampler.summary()));
} finally {
  await product.stop();
}
process.exit();
