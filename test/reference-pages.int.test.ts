import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { operations } from '@bv/contract';
import { chromium } from 'playwright-core';
import { startSystem, type System } from './system.ts';

let system: System;
let origin: string;
const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const guides = readdirSync(join(import.meta.dirname, '../docs/guides'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => basename(file, '.md'));
const pages = ['/docs', ...guides.map((name) => `/docs/guides/${name}`)];

beforeAll(async () => {
  system = await startSystem();
  origin = new URL(system.stack.baseUrl).origin;
}, 180_000);
afterAll(() => system.stop(), 60_000);

describe('the reference and the guides', () => {
  test.each(pages)('%s: a page with a strict policy that loads only from its own origin', async (path) => {
    const response = await fetch(origin + path);
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    const loaded = [...html.matchAll(/<(?:script|link|img|iframe)[^>]*\s(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url ?? '',
    );
    expect(loaded.filter((url) => !/^(\/docs\/assets\/|data:,)/.test(url))).toEqual([]);
    expect(html).not.toMatch(/<script>|\son\w+="/);
    for (const url of loaded.filter((each) => each.startsWith('/'))) {
      const asset = await fetch(origin + url);
      expect([url, asset.status, asset.headers.get('cache-control')]).toEqual([
        url,
        200,
        'public, max-age=31536000, immutable',
      ]);
      await asset.arrayBuffer();
    }
    for (const [, link] of html.matchAll(/href="(\/(?:docs|openapi)[^"#?]*)/g)) {
      const found = await fetch(origin + (link ?? ''), { method: 'HEAD' });
      expect([link, found.status]).toEqual([link, 200]);
    }
  });

  test('a missing page is not_found, also with a path outside the folder', async () => {
    for (const path of [
      '/docs/guides/none',
      '/docs/assets/none.js',
      '/docs/guides/../../package.json',
      '/docs/..%2fpackage.json',
    ]) {
      expect((await fetch(origin + path)).status).toBe(404);
    }
    expect((await fetch(`${origin}/docs`, { method: 'POST' })).status).toBe(404);
  });

  test('a browser shows every operation, with no violation and no request to another host', async () => {
    if (browser === undefined) {
      console.log('no Chromium on this machine: only the HTML and the policy of the pages were checked');
      return;
    }
    const args = ['--no-sandbox', '--disable-background-networking'];
    const chrome = await chromium.launch({ executablePath: browser, args });
    try {
      const page = await chrome.newPage({ viewport: { width: 1280, height: 900 } });
      const problems: string[] = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('request', (request) => {
        const url = request.url();
        if (!/^(data|blob):/.test(url) && new URL(url).origin !== origin) problems.push(url);
      });
      await page.goto(`${origin}/docs`);
      const heading = page.getByText('Brand Visibility Data API').first();
      await heading.waitFor({ timeout: 30_000 });
      expect((await heading.boundingBox())?.width).toBeGreaterThan(250);
      for (const { summary } of operations) {
        await page.getByText(summary).first().waitFor({ state: 'attached', timeout: 10_000 });
      }
      const screenshot = join(await mkdtemp(join(tmpdir(), 'bv-reference-')), 'reference.png');
      await page.screenshot({ path: screenshot });
      expect((await stat(screenshot)).size).toBeGreaterThan(20_000);
      console.log(`screenshot: ${screenshot}`);
      await page.goto(`${origin}/docs/guides/pagination`);
      await page.getByText('Lists of results').first().waitFor();
      await page.screenshot({ path: screenshot.replace('reference.png', 'guide.png') });
      expect(problems).toEqual([]);
    } finally {
      await chrome.close();
    }
  }, 90_000);
});
