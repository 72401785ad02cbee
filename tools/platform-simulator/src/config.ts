import { z } from 'zod';
import type { SimulatorOptions } from './create-simulator.ts';

export const ConfigSchema = z.object({
  SIMULATOR_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8090)
    .meta({ description: 'Port the simulator listens on.' }),
  SIMULATOR_HOST: z.string().default('127.0.0.1').meta({ description: 'Address the simulator listens on.' }),
  SIMULATOR_DAY: z.iso.date().optional().meta({ description: 'Day of the answers, for repeatable ones.' }),
});

export function readSimulatorConfig(): SimulatorOptions {
  const { SIMULATOR_PORT: port, SIMULATOR_HOST: host, SIMULATOR_DAY: day } = ConfigSchema.parse(process.env);
  return { port, host, ...(day === undefined ? {} : { today: () => day }) };
}
