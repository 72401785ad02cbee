import pg from 'pg';
import type { Pool } from 'pg';
import { withConnection } from './checkout.ts';
import { observeQuery } from './instruments.ts';

/** Values become literals of the text. */
export type ScriptStatement = {
  text: string;
  values: readonly (string | number | null | readonly string[])[];
};

/**
 * Sends statements as one message. They are one transaction that Postgres commits itself, so no lock is held over a round
 * trip. Each statement has a new snapshot. Returns the rows of each.
 */
export function runScript(
  pool: Pool,
  name: string,
  statements: readonly ScriptStatement[],
): Promise<Record<string, unknown>[][]> {
  const text = statements.map(inlineValues).join(';\n');
  return withConnection(pool, async (client) => {
    const startedAt = performance.now();
    try {
      const results: pg.QueryResult[] = [await client.query(text)].flat();
      observeQuery(client, name, 'ok', startedAt);
      return results.map(({ rows }) => rows);
    } catch (error) {
      observeQuery(client, name, 'error', startedAt);
      if (error instanceof pg.DatabaseError) Object.assign(error, { query: name });
      throw error;
    }
  });
}

function inlineValues({ text, values }: ScriptStatement): string {
  return text.replaceAll(/\$(\d{1,2})\b/g, (parameter, place: string) => {
    const value = values[Number(place) - 1];
    if (value === undefined) throw new Error(`a script has no value for ${parameter}`);
    return toLiteral(value);
  });
}

function toLiteral(value: ScriptStatement['values'][number]): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return pg.escapeLiteral(`{${value.map(quoteElement).join(',')}}`);
  return pg.escapeLiteral(String(value));
}

const quoteElement = (element: string): string => `"${element.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
