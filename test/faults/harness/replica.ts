import { freePort, startProcess, waitUntil, type ManagedProcess, type Stack } from '@bv/local-stack';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export type Replica = {
  port: number;
  operatorPort: number;
  monitoringPort: number;
  process: ManagedProcess;
  ready(): Promise<boolean>;
};

let number = 0;

/** Starts another process of a service of the stack, with the same stores and secrets. */
export async function startReplica(
  { stack }: { stack: Stack },
  name: string,
  env: Record<string, string> = {},
  { mayDie = false } = {},
): Promise<Replica> {
  const planned = stack.plan.find((service) => service.name === name);
  if (planned === undefined) throw new Error(`the stack has no ${name}`);
  const [port, operatorPort, monitoringPort] = [await freePort(), await freePort(), await freePort()];
  number += 1;
  const child = startProcess({
    name: `${name}-${number}`,
    command: process.execPath,
    args: ['--conditions=@bv/source', join(root, planned.script)],
    cwd: root,
    logFile: join(stack.dataDir.logs, `${name}-replica-${number}.log`),
    env: {
      ...planned.env,
      PORT: String(port),
      MONITORING_PORT: String(monitoringPort),
      OPERATOR_PORT: String(operatorPort),
      ...env,
    },
  });
  const ready = async (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${monitoringPort}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
  const isReady = await waitUntil(ready, { timeoutMs: 30_000, intervalMs: 50, until: child.exited });
  if (!isReady && !mayDie) {
    const lines = await child.lastLines(10);
    await child.kill();
    throw new Error([`${name} was not ready`, ...lines].join('\n'));
  }
  return { port, operatorPort, monitoringPort, process: child, ready };
}
