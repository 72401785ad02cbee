import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findBarriers, launchBrowser } from '../browser.ts';
import { bodies, hostileText, changes, experiment, precision, promptId } from './fixtures.ts';
import { buildOwnPage, key, openServed, origin, scrollUntil } from './served-page.ts';

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
  buildOwnPage();
}, 60_000);
afterAll(() => browser?.close());

describe('the key', () => {
  test('is asked for, kept in the tab only, and forgotten on request', async () => {
    if (browser === undefined) return;
    const { page, requests, close } = await openServed(browser, '/explore?window=28d');
    await page.getByLabel('API key').waitFor();
    expect(requests.filter((url) => url.includes('/v1/'))).toEqual([]);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Acme', exact: true }).waitFor();
    expect(page.url()).toBe(`${origin}/explore?window=28d`);
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
    expect(requests.filter((url) => url.includes(key))).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await close();
  });

  test('in a fragment is used on this machine, and removed before the first request', async () => {
    if (browser === undefined) return;
    const addresses: string[] = [];
    const seen = () => {
      addresses.push(opened?.page.url() ?? 'before the page is open');
      return bodies['orgs'] ?? {};
    };
    let opened: Awaited<ReturnType<typeof openServed>> | undefined = undefined;
    opened = await openServed(browser, '/explore', { responses: { orgs: seen } });
    await opened.page.goto(`${origin}/explore?by=tag#key=${key}`);
    await opened.page.reload();
    await opened.page.getByRole('heading', { name: 'Acme', exact: true }).waitFor();
    expect([...new Set(addresses)]).toEqual([`${origin}/explore?by=tag`]);
    await opened.close();
  });

  test('in a fragment of an open page is used and removed, as after a paste into the address', async () => {
    if (browser === undefined) return;
    const { page, close } = await openServed(browser, '/explore');
    await page.getByLabel('API key').waitFor();
    await page.evaluate(`location.hash = 'key=${key}'`);
    await page.getByRole('heading', { name: 'Acme', exact: true }).waitFor();
    expect(page.url()).toBe(`${origin}/explore`);
    await close();
  });

  test('in a fragment is ignored and removed on another host', async () => {
    if (browser === undefined) return;
    const at = 'http://explorer.example';
    const { page, close } = await openServed(browser, `/explore#key=${key}`, { at });
    await page.getByLabel('API key').waitFor();
    expect([page.url(), await page.evaluate('sessionStorage.length')]).toEqual([`${at}/explore`, 0]);
    await close();
  });
});

describe('what goes wrong', () => {
  test('a refusal is explained, and can be repeated when the API allows it', async () => {
    if (browser === undefined) return;
    let isRefused = true;
    const compare = () =>
      isRefused ? { status: 429, code: 'rate_limited', retryAfter: 30 } : (bodies['compare'] ?? {});
    const { page, close } = await openServed(browser, `/explore#key=${key}`, { responses: { compare } });
    const alert = page.getByRole('alert');
    await alert.getByText('The requests of this minute are used up.').waitFor();
    const refused = page.locator('.refused');
    const button = refused.getByRole('button');
    expect([await button.textContent(), await button.isDisabled()]).toEqual(['Try again in 30 s', true]);
    expect(await findBarriers(page)).toEqual([]);
    isRefused = false;
    await page.clock.setFixedTime('2026-03-31T12:00:31Z');
    await refused.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.getByText('The mention rate rose by 7.7 points').waitFor();
    await page.getByText('87 of 120 requests left').waitFor();
    await close();
  });

  test('a key that is refused leads to the form', async () => {
    if (browser === undefined) return;
    const responses = { orgs: { status: 401, code: 'invalid_api_key' } };
    const { page, close } = await openServed(browser, `/explore#key=${key}`, { responses });
    await page.getByRole('button', { name: 'Enter another key' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await close();
  });

  test.each([
    ['brands', 'This organisation has no brand yet.'],
    ['scores', 'There are no results of the last 90 days here.'],
    ['discovered-brands', 'No other brand is in two answers of these days.'],
    ['experiments', 'There is no experiment of the brand yet.'],
    ['sources', 'No website is cited with competitors only in these days.'],
  ])('without %s the page says what is missing', async (name, text) => {
    if (browser === undefined) return;
    const empty = { data: [], pagination: { has_more: false, next_cursor: null } };
    const { page, close } = await openServed(browser, `/explore#key=${key}`, {
      responses: { [name]: empty },
    });
    await scrollUntil(page, `document.body.textContent.includes(${JSON.stringify(text)})`);
    expect(await page.getByText(text).isVisible()).toBe(true);
    await close();
  });
});

test('too few prompts for a precision are a sentence without a picture', async () => {
  if (browser === undefined) return;
  const data = {
    ...precision,
    limited_by: 'too_few',
    level: { value: 40, low: null, high: null, half_width: null },
    options: [],
    recommended: null,
  };
  const { page, close } = await openServed(browser, `/explore#key=${key}`, {
    responses: { precision: { data } },
  });
  await scrollUntil(page, "document.body.textContent.includes('How sure it is cannot be said')");
  expect(await page.locator('[data-picture=precision]').count()).toBe(0);
  await close();
});

test('an experiment is chosen from the list, on a phone too, and may have no picture', async () => {
  if (browser === undefined) return;
  const stopped = { data: { ...experiment, id: 'e2', status: 'stopped', result: null } };
  const { page, close } = await openServed(browser, `/explore#key=${key}`, {
    width: 390,
    responses: { e2: stopped },
  });
  await scrollUntil(page, "document.querySelector('[data-picture=experiment] svg') !== null");
  await scrollUntil(page, "document.querySelector('[data-picture=changes] svg') !== null");
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.getByRole('link', { name: 'Blog' }).click();
  await page.waitForURL('**/explore?experiment=e2');
  await page.getByText('It was stopped, so it has no verdict.').waitFor();
  expect(await page.locator('.experiments [aria-current]').textContent()).toBe('Blog');
  expect(await page.locator('[data-picture=experiment]').count()).toBe(0);
  await close();
});

test('without comparable brands the list of changes has their reasons', async () => {
  if (browser === undefined) return;
  const rows = changes.rows.filter(({ q_value: q }) => q === null);
  const data = { ...changes, tested: 0, median_difference: null, rows };
  const { page, close } = await openServed(browser, `/explore#key=${key}`, {
    responses: { changes: { data } },
  });
  await scrollUntil(
    page,
    "document.body.textContent.includes('No brand of the organisation can be compared')",
  );
  await scrollUntil(page, "document.querySelector('[data-picture=changes] svg') !== null");
  expect(await page.locator('[data-picture=changes] svg').textContent()).toContain('too few prompts');
  await close();
});

describe('the address', () => {
  test('follows what is chosen, and the back button undoes it', async () => {
    if (browser === undefined) return;
    const { page, requests, close } = await openServed(browser, `/explore#key=${key}`);
    await page.getByLabel('Market').selectOption('DE');
    await page.waitForURL('**/explore?market=DE');
    await page.getByLabel('Window').selectOption('28d');
    await page.waitForURL('**/explore?market=DE&window=28d');
    await scrollUntil(page, "document.querySelector('#breakdown svg a') !== null");
    await page.locator('#breakdown svg a').first().click();
    await page.getByRole('link', { name: 'Back to Acme' }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.waitForURL('**/explore?market=DE');
    expect(await page.getByLabel('Window').inputValue()).toBe('7d');
    const asked = requests.filter((url) => url.includes('/scores?')).map((url) => new URL(url).searchParams);
    expect(asked.map((query) => [query.get('country'), query.get('window')])).toEqual([
      [null, '7d'],
      ['DE', '7d'],
      ['DE', '28d'],
    ]);
    await close();
  });
});

describe('answers', () => {
  const path = `/explore?prompt=${promptId}#key=${key}`;

  test('show hostile texts as they are, in a page as wide as a phone', async () => {
    if (browser === undefined) return;
    const { page, problems, close } = await openServed(browser, path, { width: 390 });
    page.on('dialog', (dialog) => problems.push(dialog.message()));
    const text = page.locator('.answer .text');
    await text.waitFor();
    expect(await text.textContent()).toBe(hostileText);
    expect(await text.locator('*:not(mark, bdi)').count()).toBe(0);
    expect(await page.locator('mark.own').textContent()).toBe('Acme');
    await page.locator('.links summary').click();
    expect(
      await page.locator('.links a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['https://g2.com/']);
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
    await close();
  });

  test('start again when a scan has changed the list', async () => {
    if (browser === undefined) return;
    const results = (url: URL) =>
      url.searchParams.has('cursor')
        ? { status: 400, code: 'invalid_cursor', details: { reason: 'stale' } }
        : (bodies['results'] ?? {});
    const { page, close } = await openServed(browser, path, { responses: { results } });
    await page.getByRole('button', { name: 'Show more answers' }).click();
    await page.getByText('New results have arrived, so the list starts again.').waitFor();
    expect(await page.locator('.answer').count()).toBe(1);
    await close();
  });
});
