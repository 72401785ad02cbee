import { stopChildren } from '@bv/testkit/bench';

/** Runs a benchmark, and stops its processes at its end, its failure or a signal. */
export async function runBench(run: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stopChildren().finally(() => process.exit(1)));
  }
  try {
    await run();
  } catch (error) {
    // Report before the stores stop: connection errors would hide the cause.
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await stopChildren();
  }
}
