import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';

/**
 * Posts as fast as possible, to each URL in turn. Arguments: <urls, separated by commas> <certificate authority as PEM>
 * <count> <concurrency>. Prints elapsed and CPU milliseconds.
 */
const [list = '', ca = '', count = '0', concurrency = '1'] = process.argv.slice(2);
const urls = list.split(',').map((url) => new URL(url));
const body = JSON.stringify({ type: 'scan.completed', data: 'x'.repeat(1_000) });
/** Every name is this machine, so that the loop resolves none. */
const lookup: LookupFunction = (_name, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }]);
const agent = new Agent({ allowH2: false, connect: { ca, lookup } });
let sent = 0;

async function post({ origin, pathname }: URL): Promise<void> {
  const { statusCode, body: responseBody } = await agent.request({
    origin,
    method: 'POST',
    path: pathname,
    headers: { 'content-type': 'application/json' },
    body,
  });
  await responseBody.dump();
  if (statusCode >= 300) throw new Error(`the receiver returned ${statusCode}`);
}

async function loop(): Promise<void> {
  while (sent < Number(count)) {
    const url = urls[sent % urls.length]!;
    sent += 1;
    await post(url);
  }
}

const startedAt = performance.now();
const before = process.cpuUsage();
await Promise.all(Array.from({ length: Number(concurrency) }, loop));
const { user, system } = process.cpuUsage(before);
const cost = { ms: performance.now() - startedAt, cpuMs: (user + system) / 1_000 };
process.stdout.write(`${JSON.stringify(cost)}\n`);
await agent.close();
