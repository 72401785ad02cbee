import { zodToApiError } from '@bv/contract';
import type { ApiError } from '@bv/contract';
import type { z } from 'zod';

/** What the schema makes of the value; throws the refusal the contract has for what it found. */
export function validate(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw zodToApiError(parsed.error);
}

/** As `validate`; a parameter given more than once is `invalid_type`, whatever its schema expects of one value. */
export function validateQuery(schema: z.ZodType, query: Readonly<Record<string, unknown>>): unknown {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const repeated = new Set<PropertyKey>();
  const issues = parsed.error.issues.flatMap((issue) => {
    const [name] = issue.path;
    if (name === undefined || !Array.isArray(query[String(name)])) return [issue];
    if (repeated.has(name)) return [];
    repeated.add(name);
    return [repeatedParameter(name)];
  });
  throw refusal(issues);
}

function repeatedParameter(name: PropertyKey): z.core.$ZodIssue {
  const message = 'Invalid input: expected one value, received several';
  return { code: 'invalid_type', expected: 'string', path: [name], message, input: undefined };
}

function refusal(issues: z.core.$ZodIssue[]): ApiError {
  return zodToApiError({ issues } as z.core.$ZodError);
}
