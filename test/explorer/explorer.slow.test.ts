import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BreakdownRow, CitedUrl, Score, ShareOfVoice, Source } from '@bv/sdk';
import { runDemo } from '@bv/local-stack';
import { type FullStack, startFullStack } from '@bv/testkit';
import type { Browser, Page } from 'playwright-core';
import { findBarriers, launchBrowser, openPage } from '../browser.ts';
import { buildOwnPage, ownPage, showAll } from './served-page.ts';

let browser: Browser | undefined;
let system: FullStack;
let demo: Awaited<ReturnType<typeof runDemo>>;
let key: string;
let api: string;
let origin: string;

beforeAll(async () => {
  browser = await launchBrowser();
  buildOwnPage();
  system = await startFullStack({ EXPLORER_PATH: ownPage });
  const { stack } = system;
  demo = await runDemo(stack, { report: () => undefined, signal: new AbortController().signal });
  const { demo: ids } = JSON.parse(readFileSync(stack.dataDir.stackFile, 'utf8')) as {
    demo: { org_id: string; brand_id: string; api_key: string };
  };
  key = ids.api_key;
  api = `${stack.baseUrl}/orgs/${ids.org_id}/brands/${ids.brand_id}`;
  origin = new URL(stack.baseUrl).origin;
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await demo?.close();
  await system?.stop();
}, 60_000);

async function read<T>(path: string): Promise<T[]> {
  const response = await fetch(`${api}/${path}`, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as { data: T[] }).data;
}

/** The numbers of a picture as its table shows them. */
async function numbersOf(page: Page, name: string): Promise<(string | null)[][]> {
  const figure = page.locator(`[data-picture=${name}]`);
  await figure.locator('summary').click();
  await figure.locator('td').first().waitFor();
  return figure
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
}

const show = (cells: (string | number | null | undefined)[]): string[] =>
  cells.map((cell) => String(cell ?? ''));

test('imported data are drawn with the numbers of the API, under the policy and from one host', async () => {
  if (browser === undefined) return;
  const opened = await openPage(browser, origin);
  const { page, problems } = opened;
  const cookies: string[] = [];
  page.on('response', (response) => {
    if (response.headers()['set-cookie'] !== undefined) cookies.push(response.url());
  });
  await page.goto(demo.explorerUrl);
  await showAll(opened);

  const scores = (await read<Score>(`scores?window=7d&limit=200&from=${daysAgo(89)}`)).toReversed();
  expect(scores.length).toBeGreaterThan(30);
  expect(await numbersOf(page, 'mention-rate')).toEqual(
    scores.map((row) =>
      show([
        row.run_date,
        row.mention_rate,
        row.mention_rate_low,
        row.mention_rate_high,
        row.score,
        row.units_answered,
        row.prompts_measured,
      ]),
    ),
  );
  expect(await numbersOf(page, 'share-of-voice-trend')).toEqual(
    scores.map((row) =>
      show([
        row.run_date,
        row.share_of_voice,
        row.share_of_voice_low,
        row.share_of_voice_high,
        row.units_answered,
      ]),
    ),
  );
  const week = `from=${daysAgo(6)}&to=${daysAgo(0)}&limit=200`;
  const prompts = await read<BreakdownRow>(`breakdown?by=prompt&${week}`);
  const byPrompt = await numbersOf(page, 'by-prompt');
  expect(
    sorted(byPrompt.map(([label, rate, low, high, , , units]) => [label, rate, low, high, units])),
  ).toEqual(
    sorted(
      prompts.map((row) =>
        show([row.label, row.mention_rate, row.mention_rate_low, row.mention_rate_high, row.units_answered]),
      ),
    ),
  );
  const rates = byPrompt.map(([, rate]) => Number(rate));
  expect(rates).toEqual(rates.toSorted((a, b) => a - b));
  const shares = await read<ShareOfVoice>(`share-of-voice?${week}`);
  const mentions = Map.groupBy(shares, ({ name }) => name);
  expect(
    sorted((await numbersOf(page, 'share-of-voice')).map(([name, , sum]) => [name, Number(sum)])),
  ).toEqual(
    sorted([...mentions].map(([name, rows]) => [name, rows.reduce((sum, row) => sum + row.mentions, 0)])),
  );
  for (const [name, path] of [
    ['websites-gap', 'sources'],
    ['pages-gap', 'pages'],
  ] as const) {
    const rows = await read<Source | CitedUrl>(`${path}?gap=true&${week}`);
    const drawn = await numbersOf(page, name);
    expect(drawn.map((cells) => cells.slice(2, 7))).toEqual(
      rows
        .slice(0, 10)
        .map((row) =>
          show([row.units_cited, row.units_with_competitor, row.units_gap, row.gap_rate, row.citations]),
        ),
    );
  }
  expect([problems, cookies]).toEqual([[], []]);
  await opened.close();
}, 120_000);

test.each([
  [1400, 'light'],
  [390, 'dark'],
] as const)(
  'at %s pixels in %s colours axe finds nothing',
  async (width, colorScheme) => {
    if (browser === undefined) return;
    const opened = await openPage(browser, origin, { width, colorScheme });
    const { page } = opened;
    await page.goto(demo.explorerUrl);
    await showAll(opened);
    await page.locator('details').first().locator('summary').click();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await opened.close();
  },
  120_000,
);

const sorted = (rows: unknown[][]): string[] =>
  rows.map((row) => JSON.stringify(row)).toSorted((a, b) => (a < b ? -1 : 1));
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
