import { zodToApiError } from '@bv/contract';
import type { ApiError } from '@bv/contract';
import type { z } from 'zod';

/** Parses the value with the schema. Throws the ApiError of the contract for its issues. */
export function validate(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw zodToApiError(parsed.error);
}

/** Like `validate`, but a repeated parameter is always `invalid_type`, whatever its schema reports. */
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
