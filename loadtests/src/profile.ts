import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flameGraph, splitByKind, stacksOf } from '@bv/measure';
import { profileCpu } from './inspector.ts';
import type { Options } from './options.ts';
import type { RunData } from './record.ts';
import { seed } from './seed.ts';
import { startProfiled, type Profiled } from './target.ts';

/**
 * Where the CPU of the hot paths goes: each is called over and over while its service is sampled. Writes
 * docs/performance/<path>.svg and prints the split by kind of work.
 */
const docs = fileURLToPath(new URL('../../docs/performance/', import.meta.url));
const say = (text: string): boolean => process.stderr.write(`${text}\n`);
const seconds = 8;
const atOnce = 8;

type Call = { method: string; path: string; body?: unknown };
type HotPath = {
  name: string;
  title: string;
  service: 'catalog' | 'results' | 'gateway';
  call(number: number): Call;
};

function hotPaths(data: RunData): HotPath[] {
  const [org] = data.orgs;
  const [brand] = org?.brands ?? [];
  const base = `/orgs/${org?.orgId}`;
  const brandPath = `${base}/brands/${brand?.brandId}`;
  const prompts = brand?.promptIds ?? [];
  const list = { method: 'GET', path: `${base}/prompts?limit=50` };
  const texts = prompts.map((_, index) => `Which tool is best for task ${index}?`);
  return [
    { name: 'gateway', title: 'The gateway, reads', service: 'gateway', call: () => list },
    { name: 'list', title: 'A list of fifty prompts', service: 'catalog', call: () => list },
    {
      name: 'mentions',
      title: 'A page of a thousand mentions',
      service: 'results',
      call: () => ({ method: 'GET', path: `${brandPath}/mentions?limit=1000` }),
    },
    {
      name: 'prompt-update',
      title: 'Updates of prompts',
      service: 'catalog',
      call: (number) => ({
        method: 'PATCH',
        path: `${base}/prompts/${prompts[number % prompts.length]}`,
        body: { tags: [`tag ${number}`] },
      }),
    },
    {
      name: 'sync',
      title: 'Syncs of fifty prompts, one changed',
      service: 'catalog',
      call: (number) => ({
        method: 'PUT',
        path: `${brandPath}/prompts`,
        body: {
          prompts: texts.map((text, index) => ({
            text,
            countries: ['US'],
            tags: index === 0 ? [`${number}`] : [],
          })),
        },
      }),
    },
    {
      name: 'property',
      title: 'Properties with a competitor',
      service: 'catalog',
      call: (number) => ({
        method: 'POST',
        path: `${base}/properties`,
        body: {
          name: `Shop ${number}`,
          domain: `shop-${data.mark}-${number}.com`,
          markets: ['US'],
          competitors: [{ name: 'HubSpot', domain: 'hubspot.com' }],
        },
      }),
    },
  ];
}

/** Writes of one brand wait for one another, or are told that others wait already: that is an answer too. */
async function load(data: RunData, path: HotPath): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let started = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const { method, path: target, body } = path.call((started += 1));
      const response = await fetch(`${data.baseUrls.at(-1)}${target}`, {
        method,
        headers: {
          authorization: `Bearer ${data.keys[0]?.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status >= 300 && response.status !== 409) throw new Error(`${response.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: path.name === 'sync' ? 1 : atOnce }, worker));
  return started;
}

async function profileAll(target: Profiled): Promise<void> {
  const wanted: Partial<Options> = { seconds, size: 1, keys: 1 };
  const plan = { orgs: 1, brands: 1, prompts: 50, days: 5, keys: 'one' } as const;
  say('making the data of the run ...');
  const data = await seed(target, wanted as Options, plan);
  mkdirSync(docs, { recursive: true });
  for (const path of hotPaths(data)) {
    // Once for the compiler, once for the profile.
    await load(data, path);
    let calls = 0;
    const profile = await profileCpu(target.inspectors[path.service], async () => {
      calls = await load(data, path);
    });
    const stacks = stacksOf(profile);
    const us = stacks.reduce((sum, stack) => sum + stack.us, 0);
    writeFileSync(join(docs, `${path.name}.svg`), flameGraph(path.title, stacks));
    const split = [...splitByKind(stacks)].map(([kind, share]) => `${kind} ${(share * 100).toFixed(0)} %`);
    process.stdout.write(
      `${path.title} (${path.service}): ${(us / calls).toFixed(0)} us a call; ${split.join(', ')}\n`,
    );
  }
}

const target = await startProfiled(say);
try {
  await profileAll(target);
} finally {
  await target.stop();
}
process.exit();
