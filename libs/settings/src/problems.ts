import type { z } from 'zod';

/** One line that names each invalid setting, but no value. */
export function describeProblems(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}
