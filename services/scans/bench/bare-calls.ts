import { Agent, request } from 'undici';

/** Baseline: only the HTTP calls of a scan. Arguments: <base url> <count> <concurrency>. Prints elapsed and CPU milliseconds. */
const [baseUrl = '', count = '0', concurrency = '1'] = process.argv.slice(2);
const dispatcher = new Agent();
let next = 0;

async function loop(): Promise<void> {
  while (next < Number(count)) {
    const input = `Is Contoso or Fabrikam the better choice for case ${next}?`;
    next += 1;
    const response = await request(`${baseUrl}/v1/responses`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: 'Bearer simulator', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-5-mini',
        input,
        tools: [{ type: 'web_search', user_location: { type: 'approximate', country: 'US' } }],
        tool_choice: 'required',
        include: ['web_search_call.action.sources'],
        store: false,
      }),
    });
    if (response.statusCode !== 200) throw new Error(`the simulator returned ${response.statusCode}`);
    await response.body.json();
  }
}

const startedAt = performance.now();
const before = process.cpuUsage();
await Promise.all(Array.from({ length: Number(concurrency) }, loop));
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  `${JSON.stringify({ ms: performance.now() - startedAt, cpuMs: (user + system) / 1_000 })}\n`,
);
await dispatcher.close();
