import {
  forceOption,
  createSampler,
  measureRounds,
  median,
  medianRatio,
  otherLoadText,
  pairRounds,
  ratioText,
  readBenchOptions,
} from '@bv/measure';
import { startDataStores, stopChildren } from '@bv/testkit/bench';
import { bareLoop, type Cost, startDispatcher, startReceivers } from './targets.ts';

/**
 * Compares one dispatcher with a bare undici POST loop to the same 20 receivers over TLS, at the same concurrency. Each
 * target has its own process. A figure is the median of the ratios of the rounds.
 */
const options = readBenchOptions('webhooks', {
  rounds: { default: '5', description: 'rounds that measure every target once' },
  count: { default: '2000', description: 'deliveries of a sample' },
  concurrency: { default: '50', description: 'requests in flight' },
  force: forceOption,
});
const count = Number(options.count);
const rounds = Number(options.rounds);
const { concurrency } = options;
const report = (line: string): boolean => process.stderr.write(`${line}\n`);
const sampler = createSampler({ force: options.force, report });

async function run(): Promise<void> {
  await startDataStores();
  const receivers = await startReceivers();
  const dispatcher = await startDispatcher(receivers, concurrency);
  const loop = bareLoop(receivers, concurrency);
  const targets = [dispatcher, loop].map(({ name, measure }) => ({ name, measure: () => measure(count) }));
  const describeOne = (cost: Cost): string => describe([cost]);
  const samples = await measureRounds(targets, { rounds, sampler, report, describe: describeOne });
  const [own = [], its = []] = samples;
  process.stdout.write(
    `Medians of ${rounds} rounds of ${count} deliveries, ${concurrency} at a time; ${otherLoadText(sampler.summary())}
  ${dispatcher.name}: ${describe(own)}
  ${loop.name}: ${describe(its)}; ${toRatios(own, its)}\n`,
  );
  await Promise.all([receivers.close(), dispatcher.close()]);
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

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopChildren().finally(() => process.exit(1)));
}
try {
  await run();
} finally {
  await stopChildren();
}
