import type { z } from 'zod';
import type { Variant, CommandSpec } from './commands.ts';
import type { Target } from './config.ts';
import { exitStatus, Failure } from './failure.ts';
import type { Field } from './fields.ts';
import { callPlane, type Answer, type Call } from './plane.ts';
import { itemTable, rowsTable } from './present.ts';
import type { Terminal } from './terminal.ts';
import { openUpload } from './upload.ts';
import { showWaiting } from './waiting.ts';

/** Options by their name on the command line. */
export type Given = { argument: string | undefined; options: Record<string, string | undefined> };
export type Run = { target: Target; terminal: Terminal; json: boolean; limit: number };

/** Runs a command to its end; the exit status of one that succeeded. */
export async function runCommand(spec: CommandSpec, given: Given, run: Run): Promise<number> {
  const variant = chooseVariant(spec, given);
  const { operation } = variant;
  const path = pathOf(variant, given);
  if (operation.bodyKind === 'ndjson') return importFile({ method: operation.method, path }, given, run);
  if (operation.success.kind === 'list') return listAll(path, run);
  const body = operation.body === null ? undefined : bodyOf(variant, given, operation.body);
  const call = { method: operation.method, path, ...(body === undefined ? {} : { body }) };
  const waiting =
    operation.access === 'read'
      ? 'waiting for the answer'
      : 'waiting until every service has applied the change';
  const { data } = await showWaiting(run.terminal, waiting, callPlane(run.target, call));
  run.terminal.say(run.json ? asJson(data) : `${itemTable(data as Record<string, unknown>)}\n`);
  return exitStatus.done;
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** `keys create` is of an organisation or of a partner: the option given tells. */
function chooseVariant({ variants }: CommandSpec, { options }: Given): Variant {
  const matching = variants.filter((variant) =>
    variant.options.every(({ option }) => options[option] !== undefined),
  );
  const [variant] = matching;
  if (variant !== undefined && matching.length === 1) return variant;
  const choices = variants.map((each) => each.options.map(({ option }) => `--${option}`).join(' '));
  throw new Failure(
    exitStatus.usage,
    `Give ${choices.join(' or ')}${matching.length > 1 ? ', not both' : ''}`,
  );
}

function pathOf({ operation, options, argument }: Variant, given: Given): string {
  const ids: Record<string, string | undefined> = Object.fromEntries([
    ...options.map(({ param, option }) => [param, given.options[option]]),
    ...(argument === null ? [] : [[argument, given.argument]]),
  ]);
  const parsed = operation.params.safeParse(ids);
  if (!parsed.success) {
    const names = new Map(options.map(({ param, option }) => [param, `--${option}`]));
    throw invalid(parsed.error, (param) => names.get(param) ?? 'the id');
  }
  const params = parsed.data as Record<string, string>;
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function bodyOf({ body: fields }: Variant, { options }: Given, schema: z.ZodType): unknown {
  const body = Object.fromEntries(
    fields.flatMap(({ name, option, read }: Field) => {
      const text = options[option];
      return text === undefined ? [] : [[name, read(text)]];
    }),
  );
  const parsed = schema.safeParse(body);
  if (parsed.success) return body;
  const names = new Map(fields.map(({ name, option }) => [name, `--${option}`]));
  throw invalid(parsed.error, (field) => names.get(field) ?? field);
}

function invalid(error: z.ZodError, nameOf: (field: string) => string): Failure {
  const lines = error.issues.map(({ path: [field, ...rest], message }) => {
    if (field === undefined) return message;
    return `${[nameOf(String(field)), ...rest.map(String)].join('.')}: ${message}`;
  });
  return new Failure(exitStatus.usage, lines.join('\n'), {
    advice: ['--help shows what the command takes.'],
  });
}

/** The plane's largest page. */
const pageSize = 200;

/** All pages, or as many elements as `--limit` asks for. */
async function listAll(path: string, { target, terminal, json, limit }: Run): Promise<number> {
  const rows: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  let more = true;
  while (more && rows.length < limit) {
    const size = Math.min(pageSize, limit - rows.length);
    const query = new URLSearchParams({ limit: String(size), ...(cursor === null ? {} : { cursor }) });
    const call = callPlane(target, { method: 'GET', path: `${path}?${query.toString()}` });
    const { data, pagination }: Answer = await showWaiting(terminal, `reading, ${rows.length} so far`, call);
    rows.push(...(data as Record<string, unknown>[]));
    const next: string | null = pagination?.next_cursor ?? null;
    more = (pagination?.has_more ?? false) && next !== null && next !== cursor;
    cursor = next;
  }
  terminal.say(json ? asJson(rows) : `${rowsTable(rows)}\n`);
  if (more) terminal.note(`there are more than ${limit}; a larger --limit shows them\n`);
  return exitStatus.done;
}

type ImportOutcome = { imported: number; duplicates: number; rejected: { line: number; error: string }[] };
const shownRejections = 20;

async function importFile(call: Call, given: Given, { target, terminal, json }: Run): Promise<number> {
  // A wrong token or address shows at once, not after a long upload.
  await callPlane(target, { method: 'GET', path: '/orgs?limit=1' });
  const upload = await openUpload(given.argument ?? '-', terminal);
  const sent = callPlane(target, { ...call, stream: upload.stream }).finally(upload.end);
  const answer = await (terminal.isInteractive ? sent : showWaiting(terminal, 'importing', sent));
  const outcome = answer.data as ImportOutcome;
  terminal.say(json ? asJson(outcome) : importReport(outcome));
  return outcome.rejected.length > 0 ? exitStatus.refused : exitStatus.done;
}

function importReport({ imported, duplicates, rejected }: ImportOutcome): string {
  const lines = [itemTable({ imported, duplicates, rejected: rejected.length })];
  if (rejected.length > 0) {
    lines.push('', rowsTable(rejected.slice(0, shownRejections)));
    if (rejected.length > shownRejections)
      lines.push(`… and ${rejected.length - shownRejections} more; --json shows all`);
    lines.push(
      '',
      'Correct these lines and import the file again: lines with a unit_id that are in already are skipped.',
    );
  }
  return `${lines.join('\n')}\n`;
}
