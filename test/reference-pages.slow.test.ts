import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { operations } from '@bv/contract';
import type { Browser } from 'playwright-core';
import { findBarriers, launchBrowser, openPage, type PageOptions } from './browser.ts';
import { startSystem, type System } from './system.ts';

let system: System;
let origin: string;
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

  test.each([
    ['/', '/docs'],
    ['/docs/guides', '/docs/guides/quick-start'],
    ['/docs/guides/', '/docs/guides/quick-start'],
    ['/docs/', '/docs'],
    ['/docs/guides/errors/', '/docs/guides/errors'],
  ])('%s redirects to %s', async (path, target) => {
    const response = await fetch(origin + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([308, target]);
  });
});

describe('in a browser', () => {
  let chrome: Browser | undefined;
  beforeAll(async () => {
    chrome = await launchBrowser();
  });
  afterAll(() => chrome?.close());

  async function open(path: string, options: PageOptions = {}) {
    const opened = await openPage(chrome as Browser, origin, options);
    await opened.page.goto(origin + path);
    return opened;
  }

  test('the reference shows every operation', async () => {
    if (chrome === undefined) return;
    const { page, problems, close } = await open('/docs');
    const heading = page.locator('#reference').getByText('Brand Visibility Data API').first();
    await heading.waitFor({ timeout: 60_000 });
    expect((await heading.boundingBox())?.width).toBeGreaterThan(250);
    for (const { summary } of operations) {
      await page.getByText(summary).first().waitFor({ state: 'attached', timeout: 60_000 });
    }
    expect(problems).toEqual([]);
    await close();
  }, 240_000);

  const schemes = guides.map((name): [string, 'light' | 'dark'] => [name, 'light']);
  test.each([...schemes, ['methodology', 'dark']] as const)(
    '%s: accessible with %s colours, and no wider than a phone',
    async (name, colorScheme) => {
      if (chrome === undefined) return;
      const { page, problems, close } = await open(`/docs/guides/${name}`, { width: 390, colorScheme });
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(problems).toEqual([]);
      await close();
    },
    240_000,
  );

  test('the search finds a section, and a code block can be copied', async () => {
    if (chrome === undefined) return;
    const { page, problems, close } = await open('/docs/guides/quick-start');
    await page.keyboard.press('/');
    await page.keyboard.type('stale cursor');
    await page.locator('#found a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/guides\/(pagination|error)/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await page.goto(`${origin}/docs/guides/quick-start`);
    await page.locator('.copy').nth(1).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('ORG=$(curl');
    expect(problems).toEqual([]);
    await close();
  }, 240_000);
});
