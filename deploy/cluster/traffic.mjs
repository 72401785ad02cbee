// Constant traffic against one URL until told to stop: node traffic.mjs <url> <key>. Every answer but 200 is counted by
// what it was; the counts are the last line on standard output.
const [url, key] = process.argv.slice(2);
const perSecond = 20;
const counts = {};
const running = new Set();
let stopped = false;
process.once('SIGTERM', () => (stopped = true));

async function ask() {
  let outcome;
  try {
    const answer = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(20_000),
    });
    await answer.text();
    outcome = String(answer.status);
  } catch (error) {
    outcome = error.cause?.code ?? error.name;
  }
  if (outcome !== '200') process.stderr.write(`${new Date().toISOString()} ${outcome}\n`);
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

while (!stopped) {
  const asked = ask().finally(() => running.delete(asked));
  running.add(asked);
  await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
}
await Promise.all(running);
process.stdout.write(`${JSON.stringify(counts)}\n`);
