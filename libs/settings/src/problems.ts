import type { z } from 'zod';

/** One line that names each bad setting and quotes no value. */
export function describeProblems(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}
