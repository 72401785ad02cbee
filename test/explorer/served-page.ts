import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@bv/testkit';
import type { Browser, Page, Route } from 'playwright-core';
import { type OpenPage, openPage, type PageOptions } from '../browser.ts';
import { bodies, today } from './fixtures.ts';

const explorer = join(import.meta.dirname, '../../clients/explorer');

/** Where a gateway expects the page. */
const served = join(explorer, 'dist/page');

export function buildExplorer(directory = served): void {
  const vite = join(explorer, 'node_modules/vite/bin/vite.js');
  const args = [
    'build',
    '--logLevel',
    'warn',
    '--bypass-lock',
    '--outDir',
    directory,
    '--emptyOutDir',
    explorer,
  ];
  execFileSync(process.execPath, [vite, ...args], { stdio: 'inherit' });
}

/** A build of this test file alone: a build of another one at the same time removes the files that this one reads. */
export const ownPage = join(mkdtempSync(join(tmpdir(), 'bv-page-')), 'page');
export const buildOwnPage = (): void => buildExplorer(ownPage);
export const assets = join(ownPage, 'assets');

/** No server has this address: the browser is given every response. */
export const origin = 'http://127.0.0.1:9';
export const key = 'bvk_test_of_the_page';

type Refusal = { status: number; code: string; retryAfter?: number; details?: object };
/** Replaces the response of the paths that end so. */
type Responses = Record<string, Refusal | object | ((url: URL) => Refusal | object)>;

const contentTypes = { js: 'text/javascript', css: 'text/css', html: 'text/html' };

function fulfilFile(route: Route, path: string): Promise<void> {
  const name = path === '/explore' ? 'index.html' : path.slice('/explore/'.length);
  const contentType = contentTypes[name.split('.').at(-1) as keyof typeof contentTypes];
  return route.fulfill({ body: readFileSync(join(ownPage, name)), contentType });
}

function fulfilCall(route: Route, url: URL, responses: Responses): Promise<void> {
  const name = url.pathname.split('/').at(-1) ?? '';
  const chosen = responses[name] ?? bodies[name] ?? { status: 404, code: 'not_found' };
  const response = typeof chosen === 'function' ? (chosen as (url: URL) => object)(url) : chosen;
  const headers = {
    'x-ratelimit-limit': '120',
    'x-ratelimit-remaining': '87',
    'x-ratelimit-reset': '1774915260',
  };
  if (!('code' in response)) return route.fulfill({ json: response, headers });
  const { status, code, retryAfter, details } = response as Refusal;
  const waits: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const json = {
    error: { code, message: `${code}.`, ...(details === undefined ? {} : { details }) },
    request_id: 'r',
  };
  return route.fulfill({ status, json, headers: { ...headers, ...waits } });
}

export type ServedPage = OpenPage & { requests: string[] };

/** The page with responses of the API that tests choose. Its clock stands at the last day of the fixtures. */
export async function openServed(
  browser: Browser,
  path: string,
  { responses = {}, at = origin, ...options }: PageOptions & { responses?: Responses; at?: string } = {},
): Promise<ServedPage> {
  const opened = await openPage(browser, at, options);
  const { page } = opened;
  const requests: string[] = [];
  await page.clock.setFixedTime(`${today}T12:00:00Z`);
  await page.route(`${at}/**`, (route) => {
    const url = new URL(route.request().url());
    requests.push(url.href);
    return url.pathname.startsWith('/v1/')
      ? fulfilCall(route, url, responses)
      : fulfilFile(route, url.pathname);
  });
  await page.goto(at + path);
  return { ...opened, requests };
}

/** Waits until an expression is true, while the page is scrolled to what it has not loaded yet. */
export const scrollUntil = (page: Page, expression: string): Promise<void> =>
  eventually(async () => {
    await page.evaluate("document.querySelector('.unseen')?.scrollIntoView()");
    if ((await page.evaluate(expression)) !== true) throw new Error(`not true: ${expression}`);
  });

/** Scrolls through the page until every picture is drawn. */
export const showAll = ({ page }: OpenPage): Promise<void> =>
  scrollUntil(
    page,
    "document.querySelector('figure') !== null && document.querySelector('.unseen, .loading, .drawing:empty') === null",
  );
