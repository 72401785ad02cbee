import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes, errorDocUrl, operations } from '@bv/contract';
import { eventually } from '@bv/testkit';
import type { Browser } from 'playwright-core';
import { findBarriers, launchBrowser, openPage, type PageOptions } from './browser.ts';
import { startSystem, type System } from './system.ts';

const docs = join(import.meta.dirname, '../docs');
const guides = readdirSync(join(docs, 'guides')).filter((name) => name.endsWith('.md'));

let system: System;
/** The listeners of partners and of operators. */
let origin: string;
let operatorOrigin: string;

beforeAll(async () => {
  // It fails if a link between pages leads nowhere.
  execFileSync(process.execPath, [join(docs, '.vitepress/build.ts')], { stdio: 'inherit' });
  system = await startSystem();
  origin = new URL(system.stack.baseUrl).origin;
  operatorOrigin = new URL(system.stack.operatorUrl).origin;
}, 240_000);
afterAll(() => system.stop(), 60_000);

const read = async (url: string): Promise<string> => (await fetch(url)).text();

describe('the built site', () => {
  test('loads scripts and styles only from this origin, and none from the page itself', async () => {
    for (const url of [
      `${origin}/docs`,
      `${origin}/docs/reference/results`,
      `${operatorOrigin}/docs/operations`,
    ]) {
      const html = await read(url);
      const loaded = [...html.matchAll(/<(?:script|link|img|iframe)[^>]*\s(?:src|href)="([^"]+)"/g)];
      const others = loaded
        .map(([, address = '']) => address)
        .filter((each) => !/^(\/docs\/|data:,)/.test(each));
      expect(others).toEqual([]);
      expect(html).not.toMatch(/<script(?![^>]* src=)|\son\w+="/);
    }
  });

  test('has a section for every error code, to which error.doc_url leads', async () => {
    const response = await fetch(origin + errorDocUrl('not_found'));
    expect(response.url).toBe(`${origin}/docs/guides/error-codes`);
    const ids = [...(await response.text()).matchAll(/<h3 id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids)).toEqual(new Set(Object.keys(errorCodes)));
    expect(ids).toHaveLength(new Set(ids).size);
  });

  test('describes every operation in the reference, and every one links a guide', async () => {
    const index = await read(`${origin}/docs/reference`);
    const tags = [...new Set(index.match(/\/docs\/reference\/[a-z]+/g))];
    const pages = await Promise.all(tags.map((path) => read(origin + path)));
    const sections = pages.flatMap((html) => html.split('<h2 id="').slice(1));
    const ids = sections.map((html) => /^\w+/.exec(html)?.[0]);
    expect(ids).toHaveLength(operations.length);
    expect(new Set(ids)).toEqual(new Set(operations.map(({ id }) => id)));
    expect(sections.filter((html) => !/Guide: <a href="[^"]*\/guides\//.test(html))).toEqual([]);
  });

  test('/llms.txt links every guide as Markdown, and every link is served', async () => {
    const text = await read(`${origin}/llms.txt`);
    expect(text).toMatch(/^# .+\n\n> .+\n/);
    const hrefs = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href);
    expect(hrefs).toEqual(expect.arrayContaining(guides.map((name) => `/docs/guides/${name}`)));
    for (const href of hrefs) expect([href, (await fetch(origin + href)).status]).toEqual([href, 200]);
  });

  test('has the pages of operators on their listener only', async () => {
    const marker = 'BrandVisibilityServiceGone'.toLowerCase();
    const address = '/docs/operations/runbooks';
    expect(await read(operatorOrigin + address)).toContain(`id="${marker}"`);
    expect((await fetch(origin + address)).status).toBe(404);
  });
});

describe('in a browser', () => {
  let chrome: Browser | undefined;
  beforeAll(async () => {
    chrome = await launchBrowser();
  });
  afterAll(() => chrome?.close());

  async function open(site: string, path: string, options: PageOptions = {}) {
    const opened = await openPage(chrome as Browser, site, options);
    await opened.page.goto(site + path);
    return opened;
  }

  const samples = ['/docs', '/docs/guides/methodology', '/docs/reference/results', '/docs/none'];
  const looks = samples.flatMap((path) =>
    [1400, 390].flatMap((width) =>
      (['light', 'dark'] as const).map((scheme) => [path, width, scheme] as const),
    ),
  );
  const others = guides.map((name) => [`/docs/guides/${name.slice(0, -3)}`, 390, 'light'] as const);
  const operated = ['/docs/operations', '/docs/operations/runbooks', '/docs/configuration'].map(
    (path) => [path, 390, 'dark'] as const,
  );
  test.each([...looks, ...others, ...operated])(
    '%s at %i px in %s colours: accessible, and no wider than the window',
    async (path, width, colorScheme) => {
      if (chrome === undefined) return;
      const site = operated.some(([each]) => each === path) ? operatorOrigin : origin;
      const { page, problems, close } = await open(site, path, { width, colorScheme });
      await page.locator('h1').first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      // The browser reports the 404 itself.
      expect(problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]);
      await close();
    },
    120_000,
  );

  test.each([
    ['stale cursor', 'Pagination'],
    ['sandbox', 'Quick start'],
    ['price', 'Limits'],
    ['excel', 'Client libraries'],
    ['dashboard', 'Quick start'],
    ['countries', 'Prompts'],
    ['sla', 'Error codes'],
    ['scan_already_queued', 'Error codes'],
    ['compareScores', 'Limits'],
  ])('the search for "%s" finds the page %s', async (words, title) => {
    if (chrome === undefined) return;
    const { page, problems, close } = await open(origin, '/docs');
    const input = page.locator('#localsearch-input');
    // The page listens once its script has run.
    await eventually(async () => {
      await page.keyboard.press('Control+k');
      await input.waitFor({ timeout: 1_000 });
    });
    await input.fill(words);
    await page.locator('.results .result').first().waitFor();
    const found = await page.locator('.results .result').allInnerTexts();
    expect(found.slice(0, 5).join('\n')).toContain(title);
    expect(problems).toEqual([]);
    await close();
  });

  test('samples have the address of this installation, and can be copied', async () => {
    if (chrome === undefined) return;
    const { page, problems, close } = await open(origin, '/docs/guides/quick-start');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await page.locator('button.copy').first().click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${origin}/v1`);
    expect(problems).toEqual([]);
    await close();
  });

  test('a missing page suggests those whose names share a word with it', async () => {
    if (chrome === undefined) return;
    const { page, close } = await open(origin, '/docs/webhook-retries');
    const suggestion = page.locator('main').getByRole('link', { name: 'Webhook events' });
    await suggestion.waitFor();
    expect(await suggestion.getAttribute('href')).toBe('/docs/guides/webhook-events');
    await close();
  });
});
