/**
 * Measures `bv export mentions` against the whole product: rows a second and memory, next to plain paging over HTTP
 * directly before it, which reads the same rows and writes nothing. Repeats what other load disturbed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  forceOption,
  createSampler,
  maxOtherShare,
  quantile,
  readBenchOptions,
  residentBytesOfTree,
} from '@bv/measure';
import { startFullStack, type FullStack } from '@bv/testkit';

const options = readBenchOptions('export', {
  rows: { default: '100000', description: 'rows of the export' },
  formats: { default: 'csv,ndjson,parquet', description: 'formats that are measured' },
  force: forceOption,
});
const rows = Number(options.rows);
const batchRows = 10_000;
const windowDays = 360;
const dayMs = 86_400_000;
const platforms = ['chatgpt', 'perplexity', 'gemini', 'claude', 'ai_overviews'];

const toDay = (daysAgo: number): string => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

type Place = { baseUrl: string; key: string; orgId: string; brandId: string };

/** Creates a brand with `rows` imported units of one prompt. */
async function seed({ stack }: FullStack): Promise<Place> {
  const send = async (url: string, token: string, body: unknown) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: { id: string; key: string; imported: number } }).data;
  };
  const operate = (path: string, body: unknown) =>
    send(`${stack.operatorUrl}${path}`, stack.secrets.operatorToken, body);
  const { id: orgId } = await operate('/orgs', { name: 'Export', tier: 'scale' });
  const limits = { scopes: ['read', 'write'], per_minute: 1_000_000 };
  const { key } = await operate(`/orgs/${orgId}/keys`, limits);
  const brand = { name: 'Export', domain: 'export-example.com' };
  const { id: brandId } = await send(`${stack.baseUrl}/orgs/${orgId}/properties`, key, brand);
  const path = `${stack.baseUrl}/orgs/${orgId}/brands/${brandId}/prompts`;
  const { id: promptId } = await send(path, key, { text: 'Which tool is best?', countries: ['US'] });
  for (let done = 0; done < rows; done += batchRows) {
    const lines = Array.from({ length: Math.min(batchRows, rows - done) }, (_, at) =>
      JSON.stringify({
        brand_id: brandId,
        prompt_id: promptId,
        platform: platforms[at % platforms.length],
        country: 'US',
        // A batch has few days, because each import scores its days again.
        run_date: toDay(1 + Math.floor(((done + at) * windowDays) / rows)),
        outcome: 'answered',
        answer_text: 'It depends.',
        brands: [{ brand_id: brandId, position: 1, sentiment: 70, mention_count: 1 }],
        sources: [],
      }),
    );
    const { imported } = await operate('/results/import', `${lines.join('\n')}\n`);
    if (imported !== lines.length) throw new Error(`${imported} of ${lines.length} lines were imported`);
    process.stderr.write(`imported ${done + lines.length} of ${rows}\n`);
  }
  return { baseUrl: stack.baseUrl, key, orgId, brandId };
}

/** Reads all pages without the SDK. Returns rows a second. */
async function readPlainly({ baseUrl, key, orgId, brandId }: Place): Promise<number> {
  const startMs = performance.now();
  let count = 0;
  for (let cursor: string | null = ''; cursor !== null;) {
    const filter = cursor === '' ? `from=${toDay(windowDays)}&to=${toDay(0)}` : `cursor=${cursor}`;
    const url = `${baseUrl}/orgs/${orgId}/brands/${brandId}/mentions?limit=1000&${filter}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    type Answer = { data: unknown[]; pagination: { next_cursor: string | null } };
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const { data, pagination } = (await response.json()) as Answer;
    count += data.length;
    cursor = pagination.next_cursor;
  }
  if (count !== rows) throw new Error(`${count} of ${rows} rows were read`);
  return count / ((performance.now() - startMs) / 1000);
}

/** Runs the command in its own process and watches its memory. */
async function runExport({ baseUrl, key, orgId, brandId }: Place, format: string, out: string) {
  const main = join(import.meta.dirname, '../cli/main.ts');
  const at = ['--org', orgId, '--brand', brandId, '--from', toDay(windowDays), '--to', toDay(0)];
  const words = ['export', 'mentions', ...at, '--format', format, '--out', out];
  const startMs = performance.now();
  const child = spawn(process.execPath, ['--conditions=@bv/source', main, ...words], {
    env: { BV_BASE_URL: baseUrl, BV_API_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const megabytes: number[] = [];
  const timer = setInterval(() => megabytes.push(residentBytesOfTree(child.pid ?? 0) / 1e6), 100);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  if (code !== 0 || !printed.startsWith(`${rows} rows,`)) throw new Error(`exit ${code}: ${printed}`);
  return {
    rate: rows / ((performance.now() - startMs) / 1000),
    megabytes: megabytes.filter((size) => size > 0),
  };
}

const sampler = createSampler({
  maxOtherShare,
  maxRetries: 20,
  force: options.force,
  report: (text) => process.stderr.write(`${text}\n`),
});

/** Reads plainly and then exports, and prints both. */
async function compareFormat(place: Place, format: string, out: string): Promise<void> {
  const { plain, rate, megabytes } = await sampler.sample(format, async () => {
    const perSecond = await readPlainly(place);
    await rm(out, { force: true });
    return { plain: perSecond, ...(await runExport(place, format, out)) };
  });
  const half = Math.floor(megabytes.length / 2);
  const [first, second] = [megabytes.slice(0, half), megabytes.slice(half)].map((sizes) =>
    quantile(sizes, 0.95),
  );
  const { size } = await stat(out);
  console.log(
    `${format}: ${rows} rows in ${Math.round(rows / rate)} s, ${Math.round(rate)} rows/s (${(rate / plain).toFixed(2)} of ${Math.round(plain)} by plain paging), ` +
      `${(size / 1e6).toFixed(1)} MB; memory ${Math.round(first ?? 0)} MB in the first half, ${Math.round(second ?? 0)} MB in the second`,
  );
}

const scratch = await mkdtemp(join(tmpdir(), 'bv-bench-export-'));
const product = await startFullStack();
try {
  const place = await seed(product);
  for (const format of options.formats.split(',')) await compareFormat(place, format, join(scratch, format));
} finally {
  await product.stop();
  await rm(scratch, { recursive: true, force: true });
}
process.exit();
