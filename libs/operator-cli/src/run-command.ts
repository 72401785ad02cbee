import { operatorRedriveDeadEvent } from '@bv/contract';
import type { z } from 'zod';
import type { Variant, CommandSpec } from './commands.ts';
import { confirm } from './confirm.ts';
import type { Target } from './config.ts';
import { exitStatus, Failure } from './failure.ts';
import type { Field } from './fields.ts';
import { importFile } from './import-file.ts';
import { callPlane, type Answer } from './plane.ts';
import { itemTable, rowsTable } from './present.ts';
import type { Terminal } from './terminal.ts';
import { viewOf } from './views.ts';
import { showWaiting } from './waiting.ts';

/** Options by their name on the command line. */
export type Given = { argument: string | undefined; options: Record<string, string | undefined> };
export type Run = { target: Target; terminal: Terminal; json: boolean; limit: number };

/** Runs a command to its end; the exit status of one that succeeded. */
export async function runCommand(spec: CommandSpec, given: Given, run: Run): Promise<number> {
  const variant = chooseVariant(spec, given);
  const { operation } = variant;
  const path = pathOf(variant, given);
  const query = queryOf(variant, given);
  if (operation.success.kind === 'list') return listAll({ path, query, operationId: operation.id }, run);
  const pathWithQuery = query.size === 0 ? path : `${path}?${query.toString()}`;
  if (operation.bodyKind === 'ndjson') {
    return importFile({ method: operation.method, path: pathWithQuery }, given.argument ?? '-', run);
  }
  const body = operation.body === null ? undefined : bodyOf(variant, given, operation.body);
  await confirm(operation.id, given, run.terminal);
  const call = { method: operation.method, path: pathWithQuery, ...(body === undefined ? {} : { body }) };
  const waiting =
    operation.access === 'read'
      ? 'waiting for the answer'
      : 'waiting until every service has applied the change';
  const { data } = await showWaiting(run.terminal, waiting, callPlane(run.target, call));
  const item = data as Record<string, unknown>;
  run.terminal.say(run.json ? asJson(data) : `${itemTable(item, viewOf(operation.id).block)}\n`);
  return operation.id === operatorRedriveDeadEvent.id ? reportRedrive(item, run.terminal) : exitStatus.done;
}

/** A redrive succeeds as a request whatever becomes of the message. */
function reportRedrive({ id, status }: Record<string, unknown>, { note }: Terminal): number {
  if (status === 'dead') {
    note('The message failed again.\n');
    return exitStatus.refused;
  }
  if (status === 'redriven') {
    note(
      `No outcome yet: the consumer retries it or does not run. \`dead-events get ${String(id)}\` shows the outcome. ` +
        'From 15 minutes after a redrive, the same command sends the message again.\n',
    );
  }
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

/** Path and paging are the command's own. */
function queryOf({ operation, query: fields }: Variant, given: Given): URLSearchParams {
  const query = valuesOf(fields, given);
  const parsed = operation.query.safeParse(query);
  if (!parsed.success) throw invalidField(parsed.error, fields);
  return new URLSearchParams(query as Record<string, string>);
}

function valuesOf(fields: Field[], { options }: Given): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, option, read }) => {
      const text = options[option];
      return text === undefined ? [] : [[name, read(text)]];
    }),
  );
}

function bodyOf({ body: fields, constants }: Variant, given: Given, schema: z.ZodType): unknown {
  const body = { ...constants, ...valuesOf(fields, given) };
  const parsed = schema.safeParse(body);
  if (parsed.success) return body;
  throw invalidField(parsed.error, fields);
}

function invalidField(error: z.ZodError, fields: Field[]): Failure {
  const names = new Map(fields.map(({ name, option }) => [name, `--${option}`]));
  return invalid(error, (field) => names.get(field) ?? field);
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

type List = { path: string; query: URLSearchParams; operationId: string };

/** All pages, or as many elements as `--limit` asks for. */
async function listAll({ path, query: filters, operationId }: List, run: Run): Promise<number> {
  const { target, terminal, json, limit } = run;
  const rows: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  let more = true;
  while (more && rows.length < limit) {
    const size = Math.min(pageSize, limit - rows.length);
    const query = new URLSearchParams(filters);
    query.set('limit', String(size));
    if (cursor !== null) query.set('cursor', cursor);
    const call = callPlane(target, { method: 'GET', path: `${path}?${query.toString()}` });
    const { data, pagination }: Answer = await showWaiting(terminal, `reading, ${rows.length} so far`, call);
    rows.push(...(data as Record<string, unknown>[]));
    const next: string | null = pagination?.next_cursor ?? null;
    more = (pagination?.has_more ?? false) && next !== null && next !== cursor;
    cursor = next;
  }
  const { columns } = viewOf(operationId);
  terminal.say(json ? asJson(rows) : `${rowsTable(rows, { columns, width: terminal.width })}\n`);
  if (more) terminal.note(`there are more than ${limit}; a larger --limit shows them\n`);
  return exitStatus.done;
}
