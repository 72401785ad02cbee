// Sends constant reads and writes to every service until SIGTERM: node traffic.mjs <base> <org> <key>.
// Counts responses by outcome. The counts are the last line on standard output.
import { randomUUID } from 'node:crypto';

const [base, org, key] = process.argv.slice(2);
const perSecond = 20;
const counts = {};
const running = new Set();
let stopped = false;
process.once('SIGTERM', () => (stopped = true));

function send(method, path, body) {
  return fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
}

async function create(path, body) {
  const response = await send('POST', path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
  return JSON.parse(text).data;
}

const brand = await create(`/orgs/${org}/properties`, { name: 'Traffic', domain: 'traffic.example.com' });
const brandPath = `/orgs/${org}/brands/${brand.id}`;
const prompt = await create(`${brandPath}/prompts`, { text: 'Which one is best?', countries: ['US'] });
const { job_id: job } = await create(`${brandPath}/scan-requests`);
const requests = [
  ['GET', `/orgs/${org}/brands`],
  ['GET', `/orgs/${org}/brands/summary`],
  ['GET', `${brandPath}/scan-requests/${job}`],
  ['GET', '/webhook-endpoints'],
  ['PATCH', `/orgs/${org}/prompts/${prompt.id}`, { countries: ['US', 'DE'] }],
];

async function request([method, path, body]) {
  let outcome;
  let text = '';
  try {
    const response = await send(method, path, body);
    text = await response.text();
    outcome = response.ok ? 'ok' : String(response.status);
  } catch (error) {
    outcome = error.cause?.code ?? error.name;
  }
  if (outcome !== 'ok')
    process.stderr.write(`${new Date().toISOString()} ${method} ${path} ${outcome} ${text}\n`);
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

process.stderr.write('traffic started\n');
for (let sent = 0; !stopped; sent += 1) {
  const pending = request(requests[sent % requests.length]).finally(() => running.delete(pending));
  running.add(pending);
  await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
}
await Promise.all(running);
process.stdout.write(`${JSON.stringify(counts)}\n`);
