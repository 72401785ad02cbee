import { z } from 'zod';

export const ConfigSchema = z.object({
  SIMULATOR_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8090)
    .meta({ description: 'Port the simulator listens on.' }),
  SIMULATOR_HOST: z.string().default('127.0.0.1').meta({ description: 'Address the simulator listens on.' }),
});

export function readSimulatorConfig(): { port: number; host: string } {
  const environment = ConfigSchema.parse(process.env);
  return { port: environment.SIMULATOR_PORT, host: environment.SIMULATOR_HOST };
}
