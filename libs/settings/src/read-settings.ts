import type { z } from 'zod';
import { rememberSecrets } from './secrets.ts';

/**
 * Parses the environment into a frozen object. Throws one error that names every invalid setting, but no value. Loggers
 * redact the secrets of the environment, also of invalid settings.
 */
export function readSettings<Schema extends z.ZodObject>(
  program: string,
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<z.output<Schema>> {
  rememberSecrets(schema.shape, env);
  // An empty value counts as none, so that files of settings can name what they leave open.
  const parsed = schema.safeParse(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
  );
  if (parsed.success) return Object.freeze(parsed.data);
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`configuration of ${program}: ${problems.join('; ')}`);
}
