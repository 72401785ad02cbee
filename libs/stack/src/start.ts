import { readStartOptions, type StartOptions } from './config.ts';
import { openDataDir } from './data-dir.ts';
import { runDemo, type Demo } from './demo/run-demo.ts';
import { messageOf, StackFailure } from './failure.ts';
import { createProgress } from './progress.ts';
import { startStack } from './stack.ts';
import { watchForStop, type StopWatch } from './stop-watch.ts';

const say = createProgress((text) => process.stdout.write(text));

async function run(options: StartOptions, stop: StopWatch): Promise<void> {
  const stack = await startStack(options, say, stop.signal);
  let demo: Demo | undefined;
  try {
    demo = await runDemo(stack, { say, signal: stop.signal });
    if (options.once) return;
    say('everything is up; Ctrl-C stops it, the data stays');
    await stop.requested;
  } finally {
    say('stopping ...');
    await stack.stop();
    await demo?.close();
    say('stopped');
  }
}

async function main(): Promise<number> {
  let stop: StopWatch | undefined;
  try {
    const options = readStartOptions(process.argv.slice(2));
    stop = watchForStop(say, openDataDir(options.dataDir).processes);
    await run(options, stop);
    return 0;
  } catch (error) {
    if (stop?.signal.aborted === true) say('stopped before everything was done');
    // What the person at the terminal can act on stands alone; anything else is a bug and shows where.
    else if (error instanceof StackFailure || !(error instanceof Error)) say(messageOf(error));
    else say(error.stack ?? error.message);
    return 1;
  }
}

// Sockets kept open by the clients used here must not keep the process.
process.exit(await main());
