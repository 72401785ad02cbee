import { expect, test } from '@jest/globals';
import { splitByKind, stacksOf, type CpuProfile } from './cpu-profile.ts';
import { flameGraph } from './flame-graph.ts';

const frame = (functionName: string, url: string) => ({ functionName, url, lineNumber: 1 });
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)', ''), children: [2, 3, 6] },
    { id: 2, callFrame: frame('(idle)', '') },
    { id: 3, callFrame: frame('handle', 'file:///x/services/catalog/src/http/list.ts'), children: [4, 5] },
    { id: 4, callFrame: frame('parse', 'file:///x/node_modules/.pnpm/zod@4/node_modules/zod/parse.js') },
    { id: 5, callFrame: frame('query', 'file:///x/node_modules/.pnpm/pg@8/node_modules/pg/client.js') },
    { id: 6, callFrame: frame('(garbage collector)', '') },
  ],
  samples: [2, 3, 4, 4, 5, 6],
  timeDeltas: [1_000, 100, 200, 100, 500, 100],
};

test('time at work is split by the innermost code that is known; idle time is none', () => {
  expect(Object.fromEntries(splitByKind(stacksOf(profile)))).toEqual({
    'SQL driver': 0.5,
    validation: expect.closeTo(0.3),
    'own code': 0.1,
    'garbage collector': 0.1,
  });
});

test('a flame graph stacks callees on their callers, as wide as their time', () => {
  const svg = flameGraph('A list', stacksOf(profile));
  const width = (name: string): number =>
    Number(
      new RegExp(`<title>${name}[^<]*</title><rect x="[\\d.]+" y="\\d+" width="([\\d.]+)"`).exec(svg)?.[1],
    );
  expect([width('A list'), width('handle'), width('query'), width('parse')]).toEqual([
    1_200, 1_080, 600, 360,
  ]);
  expect(svg).not.toContain('node_modules');
});
