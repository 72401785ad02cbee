import { existsSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** The Chromium of this machine. Without one the tests of a browser are skipped, except in CI. */
export async function launchBrowser(): Promise<Browser | undefined> {
  if (program === undefined) {
    if (process.env['CI'] !== undefined) throw new Error('CI needs Chromium: apt-get install chromium');
    console.log('no Chromium on this machine: nothing is tested in a browser');
    return undefined;
  }
  return chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
}

export type OpenPage = {
  page: Page;
  /** Violations of the policy, errors, and requests to other hosts. */
  problems: string[];
  close: () => Promise<void>;
};

export type PageOptions = { width?: number; colorScheme?: 'light' | 'dark' };

/** A page in its own session. */
export async function openPage(
  browser: Browser,
  origin: string,
  { width = 1280, colorScheme = 'light' }: PageOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== origin) problems.push(url);
  });
  return { page, problems, close: () => context.close() };
}

/** Findings of axe: the rule and the elements. */
export async function findBarriers(page: Page): Promise<[string, string[]][]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'])
    // Otherwise each analysis opens a second page, for frames of other origins. There are none.
    .setLegacyMode()
    .analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
