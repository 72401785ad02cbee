import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPython } from '../install/python.ts';
import { runProgram } from './run-program.ts';

const root = join(import.meta.dirname, '../..');
const guide = join(root, 'docs/guides/mcp.md');

/** The program of the session in the guide, and the output that it shows. */
const program = /^```python\n([^]*?)^```$/m;
const recorded = /(recorded on )\d{4}-\d{2}-\d{2}(:\n\n```text\n)([^]*?)(^```$)/m;

/** What the output has to have, in order, whatever the figures of the day are. */
const parts: readonly RegExp[] = [
  /^> list_organisations \{\}\n/,
  /^> list_brands \{'org_id': '[0-9a-f-]{36}'\}\n/m,
  /^> brand_overview \{'org_id': '[0-9a-f-]{36}', 'brand_id': '[0-9a-f-]{36}'\}\n\n/m,
  /^Pipedrive\. score: [\d.]+ from [\d-]{10} to [\d-]{10}, against [\d.]+ from [\d-]{10} to [\d-]{10}, /m,
  /95 % interval [+-]?[\d.]+ to [+-]?[\d.]+\. Verdict (?:up|down|no_evidence)\./,
  /Share of voice [\d.]+ % after [\d.]+ %: place \d of 4 tracked brands\./,
  /\n(?:[A-Z][\w ]+ +[\d.]+ % +[+-][\d.]+ {2}\d+ mentions\n){4}/,
];

/** Throws with the first part that the text lacks. */
function checkOutput(what: string, text: string): void {
  let rest = text;
  for (const part of parts) {
    const found = part.exec(rest);
    if (found === null) throw new Error(`${what} lacks ${part.source}:\n${text}`);
    // The match may share its line feed with the next part.
    rest = rest.slice(found.index + found[0].trimEnd().length);
  }
}

/**
 * Runs the program of the guide with FastMCP and checks its output, and the one in the guide. With `record` the output
 * replaces the one in the guide.
 */
export async function trySession(access: { url: string; key: string }, record: boolean): Promise<void> {
  const text = readFileSync(guide, 'utf8');
  const [, source] = program.exec(text) ?? [];
  const [, , , shown] = recorded.exec(text) ?? [];
  if (source === undefined || shown === undefined) throw new Error(`${guide} has no session`);
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const bin = installPython(requirements, { dir: join(root, '.tools/mcp'), name: 'python' });
  const env = { BV_MCP_URL: access.url, BV_API_KEY: access.key };
  const { status, output } = await runProgram(join(bin, 'python'), ['-c', source], env);
  if (status !== 0) throw new Error(`the session ended with ${status}:\n${output}`);
  checkOutput('the session', output);
  if (!record) return checkOutput('the guide', shown);
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(
    guide,
    text.replace(recorded, (_, before: string, open: string, __: string, close: string) =>
      [before, today, open, output, close].join(''),
    ),
  );
  return undefined;
}
