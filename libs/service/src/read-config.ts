import type { ServiceName } from '@bv/contract';
import { describeProblems } from '@bv/settings';
import type { z } from 'zod';

/** Parses the environment into a frozen object. Throws one error that names every invalid variable, but no value. */
export function readConfig<Schema extends z.ZodType>(
  service: ServiceName,
  schema: Schema,
  env: Record<string, string | undefined>,
): Readonly<z.output<Schema>> {
  const parsed = schema.safeParse(env);
  if (parsed.success) return Object.freeze(parsed.data);
  throw new Error(`configuration of ${service}: ${describeProblems(parsed.error)}`);
}
