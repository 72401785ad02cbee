import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readStartOptions, rootDir, type StartOptions } from './config.ts';
import { openDataDir } from './data-dir.ts';
import { runDemo, type Demo } from './demo/run-demo.ts';
import { toErrorMessage, StackFailure } from './failure.ts';
import { createReporter } from './reporter.ts';
import { startStack } from './stack.ts';
import { listenForShutdown, type ShutdownSignal } from './shutdown-signal.ts';

const report = createReporter((text) => process.stdout.write(text));

/** Without npm the gateway has no packages, and everything else. */
function packClients(): void {
  const script = join(rootDir, 'scripts/pack-clients.ts');
  const { status } = spawnSync(process.execPath, ['--conditions=@bv/source', script], { stdio: 'inherit' });
  if (status !== 0) report('the packages of the clients could not be built: /docs/downloads has none');
}

async function run(options: StartOptions, stop: ShutdownSignal): Promise<void> {
  // In a process of its own, because the generator tests by this stack.
  const generator = join(rootDir, 'tools/codegen/src/write-operator-document.ts');
  execFileSync(process.execPath, ['--conditions=@bv/source', generator], { stdio: 'inherit' });
  const explorer = join(rootDir, 'clients/explorer');
  const vite = join(explorer, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn', explorer], { stdio: 'inherit' });
  const site = join(rootDir, 'docs/.vitepress/build.ts');
  // Quiet unless it fails: the error then has what it printed.
  execFileSync(process.execPath, [site], { stdio: 'pipe' });
  packClients();
  const stack = await startStack(options, report, stop.signal);
  let demo: Demo | undefined;
  try {
    demo = await runDemo(stack, { report, signal: stop.signal });
    if (options.once) return;
    report('everything is running. Ctrl-C stops it and keeps the data');
    report(`see it in a browser: ${demo.explorerUrl}`);
    await stop.requested;
  } finally {
    report('stopping ...');
    await stack.stop();
    await demo?.close();
    report('stopped');
  }
}

async function main(): Promise<number> {
  let stop: ShutdownSignal | undefined;
  try {
    const options = readStartOptions(process.argv.slice(2));
    stop = listenForShutdown(report, openDataDir(options.dataDir).processes);
    await run(options, stop);
    return 0;
  } catch (error) {
    if (stop?.signal.aborted === true) report('stopped before the start was complete');
    // A failure that the user can fix is printed alone. Anything else is a bug and needs its stack trace.
    else if (error instanceof StackFailure || !(error instanceof Error)) report(toErrorMessage(error));
    else report(error.stack ?? error.message);
    return 1;
  }
}

// Open sockets of HTTP clients must not keep the process alive.
process.exit(await main());
