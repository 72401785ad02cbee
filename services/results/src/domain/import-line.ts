import { ImportLine } from '@bv/contract';
import type { z } from 'zod';

const maxReasons = 5;

/** Parses an import line into its unit, or returns why it is invalid. */
export function parseImportLine(line: string): { unit: z.output<typeof ImportLine> } | { error: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { error: 'not valid JSON' };
  }
  const parsed = ImportLine.safeParse(value);
  if (parsed.success) return { unit: parsed.data };
  const reasons = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return { error: reasons.slice(0, maxReasons).join('; ') };
}
