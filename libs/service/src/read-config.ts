import type { ServiceName } from '@bv/contract';
import { describeProblems } from '@bv/settings';
import type { z } from 'zod';

/** The environment by its schema, frozen; throws one error that names every bad variable, never its value. */
export function readConfig<Schema extends z.ZodType>(
  service: ServiceName,
  schema: Schema,
  env: Record<string, string | undefined>,
): Readonly<z.output<Schema>> {
  const parsed = schema.safeParse(env);
  if (parsed.success) return Object.freeze(parsed.data);
  throw new Error(`configuration of ${service}: ${describeProblems(parsed.error)}`);
}
