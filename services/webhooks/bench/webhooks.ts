import {
  forceOption,
  createSampler,
  growthText,
  measureRounds,
  median,
  medianRatio,
  otherLoadText,
  pairRounds,
  ratioText,
  readBenchOptions,
} from '@bv/measure';
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
 * Compares one dispatcher with bare undici POST loops to the same 20 receivers over TLS, at the same concurrency. Each
 * target has its own process. A figure is the median of the ratios of the rounds.
 */
const options = readBenchOptions('webhooks', {
  rounds: { default: '5', description: 'rounds that measure every target once' },
  count: { default: '2000', description: 'deliveries of a sample' },
  concurrency: { default: '50', description: 'requests in flight' },
  against: { default: '', description: 'another checkout whose dispatcher is compared too' },
  short: { default: false, description: 'omits the growth with the number of endpoints' },
  force: forceOption,
});
const count = Number(options.count);
const rounds = Number(options.rounds);
const { concurrency } = options;
const report = (line: string): boolean => process.stderr.write(`${line}\n`);
const sampler = createSampler({ force: options.force, report });

type Field = {
  targets: [DispatcherTarget, ...Target[]];
  /** With kept connections the growth would be that of new connections: fewer deliveries share one. */
  growing: DispatcherTarget | undefined;
};

async function startTargets(receivers: Receivers): Promise<Field> {
  const targets: Field['targets'] = [
    await startDispatcher('one dispatcher', receivers, { concurrency }),
    bareLoop('bare undici loop, connections reused', receivers, { concurrency, connections: 'reuse' }),
  ];
  // Two checkouts are compared alone.
  if (options.against !== '') {
    const name = `one dispatcher of ${options.against}`;
    targets.push(await startDispatcher(name, receivers, { concurrency, main: mainOf(options.against) }));
    return { targets, growing: undefined };
  }
  const env = { WEBHOOKS_CONNECTION_MS: '0' };
  const single = await startDispatcher('the same, a connection for each attempt', receivers, {
    concurrency,
    env,
  });
  const name = 'bare undici loop, a connection for each request';
  targets.push(single, bareLoop(name, receivers, { concurrency, connections: 'fresh' }));
  return { targets, growing: options.short ? undefined : single };
}

async function run(): Promise<void> {
  await startDataStores();
  const receivers = await startReceivers();
  const { targets, growing } = await startTargets(receivers);
  const [dispatcher, ...others] = targets;
  const rounded = targets.map(({ name, measure }) => ({ name, measure: () => measure(count) }));
  const describeOne = (cost: Cost): string => describe([cost]);
  const samples = await measureRounds(rounded, { rounds, sampler, report, describe: describeOne });
  const [own = [], ...othersCosts] = samples;
  process.stdout.write(
    `Medians of ${rounds} rounds of ${count} deliveries, ${concurrency} at a time; ${otherLoadText(sampler.summary())}\n`,
  );
  process.stdout.write(`  ${dispatcher.name}: ${describe(own)}\n`);
  for (const [index, { name }] of others.entries()) {
    const its = othersCosts[index] ?? [];
    process.stdout.write(`  ${name}: ${describe(its)}; ${toRatios(own, its)}\n`);
  }
  if (growing !== undefined) {
    const growth = await measureGrowth(growing);
    process.stdout.write(
      `  CPU per delivery with Postgres by endpoints, a connection each, ${growthText(growth)} (1 is flat)\n`,
    );
  }
  await Promise.all([receivers, ...targets].map((each) => each.close()));
}

function toRatios(own: readonly Cost[], its: readonly Cost[]): string {
  const rates = pairRounds(own, its, ({ ms }) => 1 / ms);
  const cpu = medianRatio(pairRounds(own, its, ({ cpuMs }) => cpuMs));
  return `the dispatcher has ${ratioText(rates)} of its rate for ${cpu.toFixed(2)} of its CPU`;
}

function describe(costs: readonly Cost[]): string {
  const rate = median(costs.map(({ ms }) => (count * 1_000) / ms));
  const cpuMs = median(costs.map((cost) => cost.cpuMs / count));
  const postgresMs = median(costs.map((cost) => cost.postgresMs / count));
  return `${rate.toFixed(0)}/s, ${cpuMs.toFixed(2)} ms CPU each, ${postgresMs.toFixed(2)} ms in Postgres`;
}

/** Measures the same number of deliveries over 10 and 100 times as many endpoints. */
async function measureGrowth(dispatcher: DispatcherTarget) {
  const points: { size: number; cost: number }[] = [];
  for (const size of [endpointCount, endpointCount * 10, endpointCount * 100]) {
    await dispatcher.addEndpoints(size - (points.at(-1)?.size ?? endpointCount));
    await dispatcher.pool.query('vacuum analyze');
    const costs: number[] = [];
    for (let round = 0; round <= Math.min(3, rounds); round += 1) {
      const cost = await sampler.sample(`${size} endpoints`, () => dispatcher.measure(count));
      costs.push(cost.cpuMs + cost.postgresMs);
    }
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
