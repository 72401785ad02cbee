import { Client, Pool } from 'undici';

/**
 * Posts as fast as possible and prints the elapsed milliseconds. Arguments: <origin> <count> <concurrency>
 * <reuse|fresh>.
 */
const [origin = '', count = '0', concurrency = '1', connections = 'reuse'] = process.argv.slice(2);
const body = JSON.stringify({ type: 'scan.completed', data: 'x'.repeat(1_000) });
const request = { method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body } as const;
let left = Number(count);

async function post(client: Client | Pool): Promise<void> {
  const { statusCode, body: responseBody } = await client.request(request);
  await responseBody.dump();
  if (statusCode >= 300) throw new Error(`the receiver returned ${statusCode}`);
}

const pool = new Pool(origin, { connections: Number(concurrency) });
async function loop(): Promise<void> {
  while (left > 0) {
    left -= 1;
    if (connections === 'reuse') {
      await post(pool);
    } else {
      const client = new Client(origin);
      await post(client);
      await client.destroy();
    }
  }
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(concurrency) }, loop));
process.stdout.write(`${performance.now() - startedAt}\n`);
await pool.close();
