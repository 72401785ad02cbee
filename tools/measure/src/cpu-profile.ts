/** The output of V8's sampling profiler (`--cpu-prof`, or `Profiler.stop` of the inspector). */
export type CpuProfile = {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
};

/** A function and its file: `pg/lib/client.js`, `libs/http/src/observe.ts`, `node:net`; empty for native code. */
type Frame = { name: string; place: string };
export type Stack = { frames: Frame[]; samples: number };

const idle = new Set(['(idle)', '(root)']);

/**
 * Every stack that was sampled while the process worked, outermost frame first. Samples are counted, not timed: a sample
 * before a wait for a CPU would include the wait. No path of the machine is kept.
 */
export function toStacks({ nodes, samples }: CpuProfile): Stack[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  return [...Map.groupBy(samples, (id) => id)].flatMap(([leaf, seen]) => {
    const frames: Frame[] = [];
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)?.callFrame;
      if (frame === undefined || frame.functionName === '(root)') continue;
      frames.unshift({ name: frame.functionName || '(anonymous)', place: toPlace(frame.url) });
    }
    return idle.has(frames.at(-1)?.name ?? '(root)') ? [] : [{ frames, samples: seen.length }];
  });
}

/** A path from the name of the package, or from the root of the repository for our own files. */
function toPlace(url: string): string {
  if (url.startsWith('node:')) return url;
  const [, inPackage] = /.*\/node_modules\/(.*)/.exec(url) ?? [];
  const [, ours] = /\/((?:services|libs|clients)\/[^/]+\/(?:src|dist)\/.*)/.exec(url) ?? [];
  return inPackage ?? ours ?? url.split('/').slice(-2).join('/');
}

/**
 * Product files that do one kind of work. V8 counts built-in functions such as JSON.stringify for their caller, so
 * serialisation and parsing are the work of these files.
 */
export const filesByKind = {
  serialisation: ['libs/http/src/send-response.ts'],
  bodies: [
    'libs/http/src/read-input.ts',
    'libs/http/src/incoming-body.ts',
    'libs/http/src/body-buffer.ts',
    'services/gateway/src/edge/read-body.ts',
  ],
  logs: ['libs/http/src/observe.ts'],
};

const inFiles = (files: readonly string[], others: string): RegExp =>
  new RegExp(` (?:${files.map((file) => file.replaceAll('.', '\\.')).join('|')})|${others}`);

/** The kinds of work, by function and file. The first match decides. */
const kinds: [string, RegExp][] = [
  ['serialisation', inFiles(filesByKind.serialisation, '^present\\w* services/| services/.*/http/present')],
  ['bodies', inFiles(filesByKind.bodies, ' (?:body-parser|raw-body)/')],
  ['SQL', / (pg|pg-[a-z-]+|postgres-[a-z]+|libs\/postgres)\//],
  ['validation', / (zod|libs\/contract)\//],
  [
    'logs, metrics',
    inFiles(
      filesByKind.logs,
      ' (?:pino|sonic-boom|thread-stream|prom-client|@opentelemetry|libs/telemetry)/',
    ),
  ],
  ['events', / (@nats-io|libs\/events)\//],
  ['Redis', / (ioredis|redis-parser|@ioredis)\//],
  ['Express', / (express|router)\//],
  ['proxying', / undici\//],
  // The rest of Node (buffers, sockets, timers) works on behalf of its caller.
  ['Node', / node:(_http|http|internal\/http)/],
  ['own code', / (services|libs|clients)\//],
];

/** Shares of the samples, 0 to 1, by kind of work, the largest first. */
export function splitByKind(stacks: readonly Stack[]): Map<string, number> {
  return sharesBy(stacks, findKind);
}

export type SelfTime = Frame & { kind: string; share: number };

/** The functions with the largest shares, 0 to 1, without their callees. */
export function topFunctions(stacks: readonly Stack[], count: number): SelfTime[] {
  const separator = '\n';
  const shares = sharesBy(stacks, ({ frames, ...rest }) => {
    const { name = '', place = '' } = frames.at(-1) ?? {};
    return [name, place, findKind({ frames, ...rest })].join(separator);
  });
  return [...shares].slice(0, count).map(([key, share]) => {
    const [name = '', place = '', kind = ''] = key.split(separator);
    return { name, place, kind, share };
  });
}

function sharesBy(stacks: readonly Stack[], keyOf: (stack: Stack) => string): Map<string, number> {
  const total = stacks.reduce((sum, { samples }) => sum + samples, 0);
  const shares = new Map<string, number>();
  for (const stack of stacks) {
    const key = keyOf(stack);
    shares.set(key, (shares.get(key) ?? 0) + stack.samples / total);
  }
  return new Map([...shares].toSorted(([, one], [, other]) => other - one));
}

/** The innermost known frame decides. Without one it is work of Node itself: its loop, sockets, native code. */
function findKind({ frames }: Stack): string {
  if (frames.at(-1)?.name === '(garbage collector)') return 'collector';
  for (const { name, place } of frames.toReversed()) {
    const found = kinds.find(([, pattern]) => pattern.test(`${name} ${place}`));
    if (found !== undefined) return found[0];
  }
  return 'Node';
}
