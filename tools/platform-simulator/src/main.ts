import { readSimulatorConfig } from './config.ts';
import { createSimulator } from './create-simulator.ts';

const simulator = await createSimulator(readSimulatorConfig());
process.stdout.write(`platform simulator listening on ${simulator.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void simulator.close());
}
