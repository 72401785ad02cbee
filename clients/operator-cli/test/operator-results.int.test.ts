import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operator } from './command-line.ts';
import { Product } from './product.ts';

let product: Product;
const run: Product['run'] = (...args) => product.run(...args);
const json: Product['json'] = (...args) => product.json(...args);
const api: Product['api'] = (...args) => product.api(...args);

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  product = await Product.start();
}, 400_000);
afterAll(() => product.stop());

describe('brands, scans and results', () => {
  let brandId: string;
  let promptId: string;

  beforeAll(async () => {
    const brand = await api('POST', `/orgs/${product.orgId}/properties`, product.key, {
      name: 'Acme',
      domain: 'acme.com',
      external_ref: 'acme',
      markets: ['US'],
      competitors: [{ name: 'HubSpot', domain: 'hubspot.com' }],
    });
    brandId = brand.body.data.id;
    const prompt = await api('POST', `/orgs/${product.orgId}/brands/${brandId}/prompts`, product.key, {
      text: 'best crm',
      countries: ['US'],
    });
    expect(prompt.status).toBe(201);
    promptId = prompt.body.data.id;
  });

  const unit = (overrides: Record<string, unknown> = {}): string =>
    JSON.stringify({
      unit_id: randomUUID(),
      brand_id: brandId,
      prompt_id: promptId,
      platform: 'chatgpt',
      country: 'US',
      run_date: daysAgo(20),
      outcome: 'answered',
      answer_text: 'Acme is good.',
      brands: [{ brand_id: brandId, position: 1, sentiment: 80 }],
      sources: [{ url: 'https://acme.com/crm' }],
      ...overrides,
    });

  test('results import of a file, again, and with invalid lines', async () => {
    const good = Array.from({ length: 50 }, () => unit());
    const file = join(product.scratch, 'units.ndjson');
    await writeFile(file, good.join('\n'));
    expect(await json('results', 'import', file)).toEqual({
      imported: 50,
      duplicates: 0,
      skipped: 0,
      rejected: [],
    });
    const broken = [...good, '{"unit_id":', unit({ platform: 'altavista' }), 'x'].join('\n');
    await writeFile(file, broken);
    const again = await operator(['results', 'import', 'units.ndjson'], {
      environment: product.environment,
      cwd: product.scratch,
    });
    expect(again).toMatchObject({
      status: 7,
      out: expect.stringMatching(
        /^duplicates +50$[^]*^skipped +0$[^]*^rejected +3$[^]*^51 +not valid JSON$[^]*^52 +platform/m,
      ),
    });
  });

  test('results import from the standard input, as it comes', async () => {
    async function* lines() {
      for (let sent = 0; sent < 3; sent += 1) {
        yield `${unit()}\n`;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    expect(await run(['results', 'import', '--json'], lines())).toMatchObject({
      status: 0,
      out: expect.stringContaining('"imported": 3'),
    });
    expect(await run(['results', 'import', '-'], '')).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^imported +0$/m),
    });
  });

  test('results import of future days and unknown markets; units delete removes the imported units', async () => {
    const file = join(product.scratch, 'rules.ndjson');
    await writeFile(
      file,
      [unit({ run_date: '2099-01-01' }), unit({ country: 'USA', run_date: daysAgo(90) })].join('\n'),
    );
    expect(await run(['results', 'import', file])).toMatchObject({
      status: 7,
      out: expect.stringMatching(
        /^1 +run_date: 2099-01-01 is after today[^]*^2 +country: USA is not a market$/m,
      ),
    });
    expect(await run(['results', 'import', '--allow-unknown-markets', file])).toMatchObject({
      status: 7,
      out: expect.stringMatching(/^imported +1$[^]*^rejected +1$/m),
    });
    const remove = ['units', 'delete', '--brand', brandId, '--from', daysAgo(91), '--to'];
    expect(await run([...remove, daysAgo(80)])).toMatchObject({
      status: 2,
      notes: expect.stringContaining('Without a terminal this command needs --yes'),
    });
    const window = ['--brand', brandId, '--from', daysAgo(91), '--to', daysAgo(80)];
    expect(await json('units', 'count', ...window)).toEqual({ imported: 1, scanned: 0 });
    expect(await json(...remove, daysAgo(80), '--yes')).toEqual({ deleted: 1 });
    expect(await json(...remove, daysAgo(80), '--yes')).toEqual({ deleted: 0 });
    expect(await run([...remove, daysAgo(100), '--yes'])).toMatchObject({
      status: 1,
      notes: expect.stringContaining('from is after to'),
    });
    const unknown = ['units', 'delete', '--brand', randomUUID(), '--from', daysAgo(1), '--to', daysAgo(0)];
    expect(await run([...unknown, '--yes'])).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/not_found[^]*`brands list --org …` shows/),
    });
  });

  test('results import of a missing file and of a directory', async () => {
    expect(await run(['results', 'import', join(product.scratch, 'nothing')])).toMatchObject({
      status: 2,
      notes: expect.stringContaining('no such file'),
    });
    expect(await run(['results', 'import', product.scratch])).toMatchObject({
      status: 2,
      notes: expect.stringContaining('is a directory'),
    });
  });

  test('brands reprocess, of one organisation and of all', async () => {
    expect(await json('brands', 'reprocess', '--org', product.orgId, '--from', daysAgo(30))).toEqual({
      queued: 1,
      in_progress: 0,
    });
    expect(await run(['brands', 'reprocess', '--all'])).toMatchObject({ status: 2 });
    const all = (await json('brands', 'reprocess', '--all', '--yes')) as {
      queued: number;
      in_progress: number;
    };
    expect(all.queued + all.in_progress).toBeGreaterThanOrEqual(1);
    expect(await run(['brands', 'reprocess'])).toMatchObject({
      status: 2,
      notes: expect.stringContaining('org_id or all'),
    });
    expect(await run(['brands', 'reprocess', '--org', randomUUID()])).toMatchObject({
      status: 1,
      notes: expect.stringContaining('not_found'),
    });
  });

  test('scans run, brands archive and restore; refusals have hints', async () => {
    expect(await json('scans', 'run', '--brand', brandId)).toMatchObject({ brand_id: brandId });
    expect(await json('brands', 'archive', brandId)).toMatchObject({ id: brandId });
    expect(await json('brands', 'list', '--org', product.orgId, '--archived')).toMatchObject([
      { id: brandId },
    ]);
    const scan = await run(['scans', 'run', '--brand', brandId]);
    expect(scan).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/brand_archived[^]*brands restore/),
    });
    await json('orgs', 'update', product.orgId, '--overrides', 'prompts=0');
    const restore = await run(['brands', 'restore', brandId]);
    expect(restore).toMatchObject({
      status: 1,
      notes: expect.stringMatching(/prompt_cap_exceeded[^]*cap 0, attempted 1[^]*orgs update/),
    });
    await json('orgs', 'update', product.orgId, '--overrides', '{}');
    expect(await json('brands', 'restore', brandId)).toMatchObject({ id: brandId });
  });
});
