/**
 * Opens the explorer of the demo in Chromium.
 *   pnpm try:explorer              measures it and pages of the site with Lighthouse; fails below the objectives
 *   pnpm try:explorer --picture    writes the picture of README.md and the guides
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { privateStackOptions, runDemo, startStack, steadyEnvironment, type Stack } from '@bv/local-stack';
import { launchBrowser } from '../browser.ts';
import { installNpm } from '../runtimes/install-npm.ts';
import { runProgram } from '../mcp/run-program.ts';
import { buildExplorer } from './served-page.ts';

const runs = 5;
/** Of 100. Performance is that of the simulated phone of Lighthouse, the median of all runs. */
const objectives = { accessibility: 100, performance: 90 };
type Category = keyof typeof objectives;
type Report = { categories: Record<Category, { score: number }> };

const pictureFile = join(import.meta.dirname, '../../docs/assets/explorer.png');

/** Of 100, in one run of Lighthouse. */
async function audit(url: string, flags: string[], dir: string): Promise<Record<Category, number>> {
  const lighthouse = join(installNpm(['lighthouse@13.5.0']), 'lighthouse');
  const file = join(dir, 'lighthouse.json');
  const categories = `--only-categories=${Object.keys(objectives).join(',')}`;
  const output = ['--quiet', '--output=json', `--output-path=${file}`];
  const chrome = '--chrome-flags=--headless=new --no-sandbox';
  const words = [url, categories, ...output, chrome, ...flags];
  const result = await runProgram(lighthouse, words, { CHROME_PATH: '/usr/bin/chromium' });
  if (result.status !== 0) throw new Error(`lighthouse ended with ${result.status}:\n${result.output}`);
  const { categories: scores } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const score = (category: Category): number => Math.round(scores[category].score * 100);
  return { accessibility: score('accessibility'), performance: score('performance') };
}

async function measureExplorer(url: string, dir: string): Promise<void> {
  const all: Record<Category, number>[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await audit(url, [], dir));
  for (const category of ['accessibility', 'performance'] as const) {
    const scores = all.map((each) => each[category]).toSorted((a, b) => a - b);
    const median = scores[Math.floor(runs / 2)] ?? 0;
    console.log(`${category}: median ${median} of ${scores.join(', ')} (objective: ${objectives[category]})`);
    if (median < objectives[category]) process.exitCode = 1;
  }
}

const screens = {
  phone: ['--screenEmulation.width=390'],
  desktop: ['--preset=desktop', '--screenEmulation.width=1400'],
};

/** Whether everyone can use the landing page, a guide, the reference and a page of operators. */
async function measureSite({ baseUrl, operatorUrl }: Stack, dir: string): Promise<void> {
  const paths = ['/docs', '/docs/guides/quick-start', '/docs/reference/results'];
  const urls = [
    ...paths.map((path) => new URL(path, baseUrl)),
    new URL('/docs/operations/runbooks', operatorUrl),
  ];
  for (const { href } of urls) {
    for (const [screen, flags] of Object.entries(screens)) {
      const { accessibility, performance } = await audit(href, flags, dir);
      console.log(`${href}, ${screen}: accessibility ${accessibility}, performance ${performance}`);
      if (accessibility < objectives.accessibility) process.exitCode = 1;
    }
  }
}

async function takePicture(url: string): Promise<void> {
  const browser = await launchBrowser();
  if (browser === undefined) throw new Error('a picture needs Chromium');
  const page = await browser.newPage({ viewport: { width: 1200, height: 990 } });
  await page.goto(url);
  await page.locator('.verdict .headline').waitFor();
  await page.locator('#breakdown svg').waitFor();
  await page.screenshot({ path: pictureFile });
  await browser.close();
}

const { values: options } = parseArgs({
  // pnpm passes the `--` of `pnpm try:explorer -- --picture`.
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: { picture: { type: 'boolean', default: false } },
});
const dir = await mkdtemp(join(tmpdir(), 'bv-explorer-'));
// The user of PostgreSQL needs access to the data directory below it.
await chmod(dir, 0o755);
buildExplorer();
execFileSync(process.execPath, [join(import.meta.dirname, '../../docs/.vitepress/build.ts')], {
  stdio: 'inherit',
});
const stack = await startStack(privateStackOptions(join(dir, 'data'), steadyEnvironment), console.log);
try {
  const demo = await runDemo(stack, { report: console.log, signal: new AbortController().signal });
  if (options.picture) await takePicture(demo.explorerUrl);
  else {
    await measureExplorer(demo.explorerUrl, dir);
    await measureSite(stack, dir);
  }
  await demo.close();
} finally {
  await stack.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit();
