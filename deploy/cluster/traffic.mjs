// Constant traffic over every service, reads and writes, until it is stopped: node traffic.mjs <base> <org> <key>. Every
// answer but a success is counted by what it was; the counts are the last line on standard output.
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

async function made(path, body) {
  const answer = await send('POST', path, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text).data;
}

const brand = await made(`/orgs/${org}/properties`, { name: 'Traffic', domain: 'traffic.example.com' });
const brandPath = `/orgs/${org}/brands/${brand.id}`;
const prompt = await made(`${brandPath}/prompts`, { text: 'Which one is best?', countries: ['US'] });
const { job_id: job } = await made(`${brandPath}/scan-requests`);
const requests = [
  ['GET', `/orgs/${org}/brands`],
  ['GET', `/orgs/${org}/brands/summary`],
  ['GET', `${brandPath}/scan-requests/${job}`],
  ['GET', '/webhook-endpoints'],
  ['PATCH', `/orgs/${org}/prompts/${prompt.id}`, { countries: ['US', 'DE'] }],
];

async function ask([method, path, body]) {
  let outcome;
  let text = '';
  try {
    const answer = await send(method, path, body);
    text = await answer.text();
    outcome = answer.ok ? 'ok' : String(answer.status);
  } catch (error) {
    outcome = error.cause?.code ?? error.name;
  }
  if (outcome !== 'ok')
    process.stderr.write(`${new Date().toISOString()} ${method} ${path} ${outcome} ${text}\n`);
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

process.stderr.write('traffic flows\n');
for (let turn = 0; !stopped; turn += 1) {
  const asked = ask(requests[turn % requests.length]).finally(() => running.delete(asked));
  running.add(asked);
  await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
}
await Promise.all(running);
process.stdout.write(`${JSON.stringify(counts)}\n`);
