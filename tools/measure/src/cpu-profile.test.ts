import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  filesByKind,
  splitByKind,
  toStacks,
  topFunctions,
  type CpuProfile,
  type Stack,
} from './cpu-profile.ts';

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
  samples: [2, 3, 4, 4, 4, 5, 5, 5, 5, 5, 6, 2],
};

test('work is split by the innermost known frame, without idle time', () => {
  expect(Object.fromEntries(splitByKind(toStacks(profile)))).toEqual({
    SQL: expect.closeTo(0.5),
    validation: expect.closeTo(0.3),
    'own code': expect.closeTo(0.1),
    collector: expect.closeTo(0.1),
  });
});

/** The kind of a stack, given by its frames, outermost first. */
function kindOf(...frames: [name: string, place: string][]): string | undefined {
  const stack: Stack = { frames: frames.map(([name, place]) => ({ name, place })), samples: 1 };
  return [...splitByKind([stack]).keys()][0];
}

test('built-in functions count for their caller', () => {
  const served: [string, string] = ['parserOnIncoming', 'node:_http_server'];
  const answered: [string, string] = ['answerJson', 'libs/http/src/send-response.ts'];
  expect(kindOf(served, answered)).toBe('serialisation');
  expect(kindOf(served, answered, ['byteLength', ''])).toBe('serialisation');
  expect(kindOf(served, answered, ['end', 'node:_http_outgoing'], ['writeUtf8String', ''])).toBe('Node');
  expect(kindOf(served, ['presentPrompt', 'services/catalog/src/http/present.ts'])).toBe('serialisation');
  expect(kindOf(served, ['present', 'services/results/src/http/mentions.ts'])).toBe('serialisation');
  expect(kindOf(served, ['parse', 'libs/http/src/read-input.ts'])).toBe('bodies');
  expect(kindOf(served, ['raw', 'body-parser/lib/types/raw.js'], ['on', 'node:events'])).toBe('bodies');
  expect(kindOf(served, ['handle', 'router/index.js'], ['emit', 'node:events'])).toBe('Express');
});

test('sockets and buffers of Node count for their caller, or for Node without one', () => {
  const socket: [string, string] = ['onStreamRead', 'node:internal/stream_base_commons'];
  const parsed: [string, string] = ['parse', 'pg-protocol/dist/parser.js'];
  expect(kindOf(socket, parsed, ['toString', 'node:buffer'], ['utf8Slice', ''])).toBe('SQL');
  expect(kindOf(['send', '@nats-io/nats-core/lib/protocol.js'], ['writev', ''])).toBe('events');
  expect(kindOf(socket)).toBe('Node');
  expect(kindOf(['(program)', ''])).toBe('Node');
});

test('the top functions have their file, without paths of the machine', () => {
  expect(topFunctions(toStacks(profile), 3)).toEqual([
    { name: 'query', place: 'pg/client.js', kind: 'SQL', share: 0.5 },
    { name: 'parse', place: 'zod/parse.js', kind: 'validation', share: expect.closeTo(0.3) },
    {
      name: 'handle',
      place: 'services/catalog/src/http/list.ts',
      kind: 'own code',
      share: expect.closeTo(0.1),
    },
  ]);
});

test('every named file of the product exists', () => {
  const root = join(import.meta.dirname, '../../..');
  expect(
    Object.values(filesByKind)
      .flat()
      .filter((file) => !existsSync(join(root, file))),
  ).toEqual([]);
});
