import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childEnvironment, eventually, freePort, registerStub } from '@bv/testkit';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export type GatewayProcess = {
  port: number;
  operatorPort: number;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Runs again with the same settings, on the same ports. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The signal that ended it by itself. */
  ended(): Promise<NodeJS.Signals | null>;
};

/** The gateway as a separate process, which a test may kill at any time. */
export async function startGatewayProcess(settings: Record<string, string>): Promise<GatewayProcess> {
  const [port, operatorPort, monitoringPort] = await Promise.all([freePort(), freePort(), freePort()]);
  registerStub(`http://127.0.0.1:${port}`, 'data');
  const env = {
    ...settings,
    ...childEnvironment(),
    PORT: String(port),
    OPERATOR_PORT: String(operatorPort),
    MONITORING_PORT: String(monitoringPort),
  };
  let child: ChildProcess;
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, ['--conditions=@bv/source', main], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    // However the test run ends, no gateway outlives it.
    const end = child;
    process.once('exit', () => end.kill('SIGKILL'));
    const ready = eventually(
      async () => {
        const { ok } = await fetch(`http://127.0.0.1:${monitoringPort}/readyz`);
        if (!ok) throw new Error('not ready');
      },
      { timeoutMs: 150_000 },
    );
    // Its log is silent, so a failed start shows only in its exit status.
    const died = once(end, 'exit').then(([code, signal]) => {
      throw new Error(`the gateway ended before it was ready: ${code ?? signal}`);
    });
    await Promise.race([ready, died]);
  };
  const ended = async (): Promise<NodeJS.Signals | null> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.signalCode;
  };
  await start();
  return { port, operatorPort, ended, kill: () => kill('SIGKILL'), start, stop: () => kill('SIGTERM') };
}
