import { parseArgs } from 'node:util';
import { growthText, median, assertIdleMachine, watchMachine } from '@bv/measure';
import { startDataStores, stopChildren } from '@bv/testkit/bench';
import {
  bareLoop,
  type Cost,
  type DispatcherTarget,
  endpointCount,
  mainOf,
  type Receivers,
  startDispatcher,
  startReceivers,
  type Target,
} from './targets.ts';

/**
 * Compares one dispatcher with bare undici POST loops to the same 20 receivers over TLS, at the same concurrency. The
 * targets run interleaved in rounds, each in its own process. A figure is the median of the ratios of the rounds.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    count: { type: 'string', default: '2000' },
    concurrency: { type: 'string', default: '50' },
    /** A checkout whose dispatcher is compared too. */
    against: { type: 'string', default: '' },
    /** Leaves out the growth with the number of endpoints. */
    short: { type: 'boolean', default: false },
    /** Print results even when other processes used the machine. */
    force: { type: 'boolean', default: false },
  },
});
const count = Number(options.count);
const rounds = Number(options.rounds);
const { concurrency } = options;
const report = (line: string): boolean => process.stderr.write(`${line}\n`);

async function startTargets(receivers: Receivers): Promise<[DispatcherTarget, ...Target[]]> {
  const env = { WEBHOOKS_CONNECTION_MS: '0' };
  const single = 'the same, a connection for each attempt';
  const targets: [DispatcherTarget, ...Target[]] = [
    await startDispatcher('one dispatcher', receivers, { concurrency }),
    await startDispatcher(single, receivers, { concurrency, env }),
    bareLoop('bare undici loop, connections reused', receivers, { concurrency, connections: 'reuse' }),
    bareLoop('bare undici loop, a connection for each request', receivers, {
      concurrency,
      connections: 'fresh',
    }),
  ];
  if (options.against === '') return targets;
  const name = `one dispatcher of ${options.against}`;
  return [...targets, await startDispatcher(name, receivers, { concurrency, main: mainOf(options.against) })];
}

async function run(): Promise<void> {
  await startDataStores();
  const receivers = await startReceivers();
  const targets = await startTargets(receivers);
  const [dispatcher, ...others] = targets;
  const readMachineUse = watchMachine();
  const costs = await measureRounds(targets);
  const growth = options.short ? [] : await measureGrowth(dispatcher);
  assertIdleMachine(readMachineUse(), options.force);
  process.stdout.write(`Medians of ${rounds} rounds of ${count} deliveries, ${concurrency} at a time\n`);
  const own = costs.get(dispatcher) ?? [];
  process.stdout.write(`  ${dispatcher.name}: ${describe(own)}\n`);
  for (const target of others) {
    const its = costs.get(target) ?? [];
    const shares = own.map(({ ms, cpuMs }, round) => {
      const other = its[round] ?? { ms: Number.NaN, cpuMs: Number.NaN };
      return { rate: other.ms / ms, cpu: cpuMs / other.cpuMs };
    });
    const rate = median(shares.map((share) => share.rate)).toFixed(2);
    const cpu = median(shares.map((share) => share.cpu)).toFixed(2);
    const text = `the dispatcher has ${rate} of its rate for ${cpu} of its CPU`;
    process.stdout.write(`  ${target.name}: ${describe(its)}; ${text}\n`);
  }
  if (growth.length > 0)
    process.stdout.write(`  time per delivery by endpoints, ${growthText(growth)} (1 is flat)\n`);
  await Promise.all([receivers, ...targets].map((each) => each.close()));
}

/** The costs of each target, one for each round. The first round warms up. */
async function measureRounds(targets: readonly Target[]): Promise<Map<Target, Cost[]>> {
  const costs = new Map(targets.map((target) => [target, [] as Cost[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const target of targets) {
      const cost = await target.measure(count);
      const name = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
      report(`${name}: ${target.name}: ${describe([cost])}`);
      if (round > 0) costs.get(target)?.push(cost);
    }
  }
  return costs;
}

function describe(costs: readonly Cost[]): string {
  const rate = median(costs.map(({ ms }) => (count * 1_000) / ms));
  const cpuMs = median(costs.map((cost) => cost.cpuMs / count));
  return `${rate.toFixed(0)}/s, ${cpuMs.toFixed(2)} ms CPU each`;
}

/** Measures the same number of deliveries over 10 and 100 times as many endpoints. */
async function measureGrowth(dispatcher: DispatcherTarget) {
  const points: { size: number; cost: number }[] = [];
  for (const size of [endpointCount, endpointCount * 10, endpointCount * 100]) {
    await dispatcher.addEndpoints(size - (points.at(-1)?.size ?? endpointCount));
    await dispatcher.pool.query('vacuum analyze');
    const costs: number[] = [];
    for (let round = 0; round <= Math.min(3, rounds); round += 1)
      costs.push((await dispatcher.measure(count)).ms);
    points.push({ size, cost: median(costs.slice(1)) });
    report(`${size} endpoints are done`);
  }
  return points;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopChildren().finally(() => process.exit(1)));
}
try {
  await run();
} finally {
  await stopChildren();
}
