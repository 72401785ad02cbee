import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { assets, buildOwnPage, key, openServed, showAll } from './served-page.ts';

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
  buildOwnPage();
}, 60_000);
afterAll(() => browser?.close());

const golden = join(import.meta.dirname, 'golden');
/** Set it to store the pictures again. Look at them before you commit them. */
const isRecording = process.env['RECORD_PICTURES'] !== undefined;

test('the scripts have at most 180 kB compressed', () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const sizes = scripts.map((name) => gzipSync(readFileSync(join(assets, name))).length);
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(180_000);
});

test('each picture is the stored one', async () => {
  if (browser === undefined) return;
  const opened = await openServed(browser, `/explore#key=${key}`);
  await showAll(opened);
  const pictures = await opened.page
    .locator('figure')
    .evaluateAll((figures) =>
      figures.map((figure): [string, string] => [
        figure.dataset['picture'] ?? '',
        figure.querySelector('svg')?.outerHTML.replaceAll('><', '>\n<') ?? '',
      ]),
    );
  expect(pictures.map(([name]) => name)).toEqual([
    'mention-rate',
    'precision',
    'by-prompt',
    'prompt-kinds',
    'share-of-voice',
    'share-of-voice-trend',
    'discovered-brands',
    'websites-gap',
    'pages-gap',
    'experiment',
    'changes',
  ]);
  expect(pictures.filter(([, svg]) => /href="(?!\/explore|https?:)/.test(svg))).toEqual([]);
  for (const [name, svg] of pictures) {
    const file = join(golden, `${name}.svg`);
    if (isRecording) writeFileSync(file, `${svg}\n`);
    expect([name, `${svg}\n`]).toEqual([name, readFileSync(file, 'utf8')]);
  }
  expect(await opened.page.locator('.causes li').allTextContents()).toEqual([
    '1 Mar 2026: method version 5 instead of 4',
    '19 Mar 2026: ChatGPT: gpt-6.1 instead of gpt-6',
    '25 Mar 2026: AI Overviews: its answers to all brands changed their shape (unresolved links)',
  ]);
  expect(opened.problems).toEqual([]);
  await opened.close();
});

test('a picture is saved as CSV with the numbers of its table, as SVG and as PNG', async () => {
  if (browser === undefined) return;
  const { page, close } = await openServed(browser, `/explore#key=${key}`);
  const figure = page.locator('[data-picture=mention-rate]');
  await figure.locator('svg').waitFor();
  const saved: Record<string, Buffer> = {};
  for (const form of ['CSV', 'SVG', 'PNG']) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      figure.getByRole('button', { name: form }).click(),
    ]);
    saved[download.suggestedFilename()] = readFileSync(await download.path());
  }
  const name = 'acme-all-platforms-all-markets-7-days-mention-rate';
  expect(Object.keys(saved)).toEqual([`${name}.csv`, `${name}.svg`, `${name}.png`]);
  await figure.locator('summary').click();
  await figure.locator('tr').first().waitFor();
  const rows = await figure
    .locator('tr')
    .evaluateAll((each) => each.map((row) => [...row.children].map((cell) => cell.textContent).join(',')));
  expect(saved[`${name}.csv`]?.toString()).toBe(`${rows.join('\r\n')}\r\n`);
  expect(saved[`${name}.svg`]?.toString()).toMatch(/^<svg[^>]+xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(saved[`${name}.png`]?.subarray(1, 4).toString()).toBe('PNG');
  await close();
});
