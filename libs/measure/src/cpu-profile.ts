/** What V8's sampling profiler tells (`--cpu-prof`, or `Profiler.stop` of the inspector). */
export type CpuProfile = {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
  timeDeltas: number[];
};

type Frame = CpuProfile['nodes'][number]['callFrame'];
export type Stack = { frames: Frame[]; us: number };

const idle = new Set(['(idle)', '(root)', '(program)']);

/** Every stack that was seen at work, outermost frame first, with its time. */
export function stacksOf({ nodes, samples, timeDeltas }: CpuProfile): Stack[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const time = new Map<number, number>();
  for (const [index, id] of samples.entries()) time.set(id, (time.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  return [...time].flatMap(([leaf, us]) => {
    const frames: Frame[] = [];
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)?.callFrame;
      if (frame !== undefined && frame.functionName !== '(root)') frames.unshift(frame);
    }
    return idle.has(frames.at(-1)?.functionName ?? '(root)') ? [] : [{ frames, us }];
  });
}

/** Where each kind of work is found, by the address of its code. The innermost frame that is known decides. */
const kinds: [string, RegExp][] = [
  ['SQL driver', /\/pg(-[a-z]+)?@|\/node_modules\/pg(-[a-z]+)?\/|libs\/postgres/],
  ['validation', /\/zod@|\/node_modules\/zod\/|libs\/contract/],
  ['logs and metrics', /\/pino@|prom-client|libs\/telemetry|sonic-boom|thread-stream/],
  ['Redis', /ioredis|redis-parser/],
  ['Express', /express@|\/router@|body-parser|\/send@/],
  ['proxying', /undici/],
  ['Node HTTP and sockets', /^node:/],
  ['own code', /\/(services|libs)\//],
];

/** Shares of the time at work, 0 to 1, by kind. */
export function splitByKind(stacks: readonly Stack[]): Map<string, number> {
  const total = stacks.reduce((sum, { us }) => sum + us, 0);
  const split = new Map<string, number>();
  for (const { frames, us } of stacks) {
    const kind = kindOf(frames);
    split.set(kind, (split.get(kind) ?? 0) + us / total);
  }
  return new Map([...split].toSorted(([, one], [, other]) => other - one));
}

function kindOf(frames: readonly Frame[]): string {
  if (frames.at(-1)?.functionName === '(garbage collector)') return 'garbage collector';
  for (const { url } of frames.toReversed()) {
    const found = kinds.find(([, pattern]) => pattern.test(url));
    if (found !== undefined) return found[0];
  }
  return 'other';
}
