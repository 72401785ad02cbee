/** The output of V8's sampling profiler (`--cpu-prof`, or `Profiler.stop` of the inspector). */
export type CpuProfile = {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
};

/** A function and where it is: `pg/lib/client.js`, `libs/http/src/answer.ts`, `node:net`; native code is nowhere. */
type Frame = { name: string; place: string };
export type Stack = { frames: Frame[]; samples: number };

const idle = new Set(['(idle)', '(root)']);

/**
 * Every stack that was seen at work, outermost frame first. Samples are counted, not timed: the one after which the
 * process had to wait for a processor would count for the wait. Nothing in it names a path of the machine.
 */
export function stacksOf({ nodes, samples }: CpuProfile): Stack[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  return [...Map.groupBy(samples, (id) => id)].flatMap(([leaf, seen]) => {
    const frames: Frame[] = [];
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)?.callFrame;
      if (frame === undefined || frame.functionName === '(root)') continue;
      frames.unshift({ name: frame.functionName || '(anonymous)', place: placeOf(frame.url) });
    }
    return idle.has(frames.at(-1)?.name ?? '(root)') ? [] : [{ frames, samples: seen.length }];
  });
}

/** Of a file in a package, with the package's name; of our own, in the repository. */
function placeOf(url: string): string {
  if (url.startsWith('node:')) return url;
  const [, inPackage] = /.*\/node_modules\/(.*)/.exec(url) ?? [];
  const [, ours] = /\/((?:services|libs)\/[^/]+\/(?:src|dist)\/.*)/.exec(url) ?? [];
  return inPackage ?? ours ?? url.split('/').slice(-2).join('/');
}

/**
 * Where each kind of work is found, by function and file. V8 counts what is built into it (JSON.stringify, JSON.parse,
 * toISOString) for the function that calls it: serialisation and parsing are what is done where answers are made and
 * bodies are read.
 */
const kinds: [string, RegExp][] = [
  ['serialisation', / libs\/http\/src\/answer\.|^present\w* services\/| services\/.*\/http\/present/],
  [
    'bodies',
    / (body-parser|raw-body)\/| libs\/http\/src\/read-body\.| services\/gateway\/src\/edge\/read-body\./,
  ],
  ['SQL', / (pg|pg-[a-z-]+|postgres-[a-z]+|libs\/postgres)\//],
  ['validation', / (zod|libs\/contract)\//],
  [
    'logs, metrics',
    / (pino|sonic-boom|thread-stream|prom-client|@opentelemetry|libs\/telemetry)\/| libs\/http\/src\/observe\./,
  ],
  ['events', / (@nats-io|libs\/events)\//],
  ['Redis', / (ioredis|redis-parser|@ioredis)\//],
  ['Express', / (express|router)\//],
  ['proxying', / undici\//],
  // The rest of Node (buffers, sockets, timers) works on behalf of its caller.
  ['Node', / node:(_http|http|internal\/http)/],
  ['own code', / (services|libs)\//],
];

/** Shares of the work, 0 to 1, by kind, the largest first. */
export function splitByKind(stacks: readonly Stack[]): Map<string, number> {
  return sharesBy(stacks, kindOf);
}

export type SelfTime = Frame & { kind: string; share: number };

/** What the work was in when it was looked at: the functions with the largest shares, 0 to 1, without their callees. */
export function topFunctions(stacks: readonly Stack[], count: number): SelfTime[] {
  const separator = '\n';
  const shares = sharesBy(stacks, ({ frames, ...rest }) => {
    const { name = '', place = '' } = frames.at(-1) ?? {};
    return [name, place, kindOf({ frames, ...rest })].join(separator);
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

/** The innermost frame that is known decides; where none is, Node works for itself: its loop, sockets, native code. */
function kindOf({ frames }: Stack): string {
  if (frames.at(-1)?.name === '(garbage collector)') return 'collector';
  for (const { name, place } of frames.toReversed()) {
    const found = kinds.find(([, pattern]) => pattern.test(`${name} ${place}`));
    if (found !== undefined) return found[0];
  }
  return 'Node';
}
