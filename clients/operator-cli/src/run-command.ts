import {
  operatorGetStatus,
  operatorListUsage,
  operatorRedriveDeadEvent,
  type ResponseData,
} from '@bv/contract';
import type { z } from 'zod';
import type { CommandInput, Run } from './command-input.ts';
import type { Variant, CommandSpec } from './commands.ts';
import { confirm } from './confirm.ts';
import { exitStatus, Failure } from './failure.ts';
import type { Field } from './fields.ts';
import { importFile } from './import-file.ts';
import { callOperatorApi, type ApiResponse } from './operator-client.ts';
import { itemTable, nestedFields, rowsTable } from './present.ts';
import { hasSilentService, statusTable } from './status-table.ts';
import type { Terminal } from './terminal.ts';
import { getView } from './views.ts';
import { showWaiting } from './waiting.ts';

/** Runs a command. Returns its exit status, or throws a `Failure`. */
export async function runCommand(spec: CommandSpec, input: CommandInput, run: Run): Promise<number> {
  const variant = chooseVariant(spec, input);
  const { operation } = variant;
  const path = buildPath(variant, input);
  const query = buildQuery(variant, input);
  if (operation.success.kind === 'list') return listAll({ path, query, operationId: operation.id }, run);
  const pathWithQuery = query.size === 0 ? path : `${path}?${query.toString()}`;
  if (operation.bodyKind === 'ndjson') {
    return importFile({ method: operation.method, path: pathWithQuery }, input.argument ?? '-', run);
  }
  const body = operation.body === null ? undefined : buildBody(variant, input, operation.body);
  const read = (readPath: string) => callOperatorApi(run.target, { method: 'GET', path: readPath });
  await confirm(operation.id, input, { terminal: run.terminal, read });
  const call = { method: operation.method, path: pathWithQuery, ...(body === undefined ? {} : { body }) };
  const waiting =
    operation.access === 'read'
      ? 'waiting for the response'
      : 'waiting until every service has applied the change';
  const { data } = await showWaiting(run.terminal, waiting, callOperatorApi(run.target, call));
  return showItem(operation.id, data as Record<string, unknown>, run);
}

/** Prints one item. Returns the exit status. */
function showItem(operationId: string, item: Record<string, unknown>, { terminal, json }: Run): number {
  const { block, secret } = getView(operationId);
  const isStatus = operationId === operatorGetStatus.id;
  const status = item as ResponseData<typeof operatorGetStatus>;
  const table = isStatus ? statusTable(status, terminal.width) : itemTable(item, block);
  terminal.print(json ? asJson(item) : `${table}\n`);
  if (secret !== undefined) {
    terminal.note(`The ${secret} is shown only now and cannot be read again. Store it in a safe place.\n`);
  }
  if (isStatus && hasSilentService(status)) {
    terminal.note('A service did not respond. Its log and `/readyz` show why.\n');
    return exitStatus.unreachable;
  }
  return operationId === operatorRedriveDeadEvent.id ? reportRedrive(item, terminal) : exitStatus.done;
}

/** The request of a redrive succeeds even if the message fails again. Returns the exit status for the message. */
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

/** Selects the operation by the options that are set: `keys create` takes `--org` or `--partner`. */
function chooseVariant({ variants }: CommandSpec, { options }: CommandInput): Variant {
  const matching = variants.filter((variant) =>
    variant.options.every(({ option }) => options[option] !== undefined),
  );
  const [variant] = matching;
  if (variant !== undefined && matching.length === 1) return variant;
  const choices = variants.map((each) => each.options.map(({ option }) => `--${option}`).join(' '));
  throw new Failure(
    exitStatus.usage,
    `Pass ${choices.join(' or ')}${matching.length > 1 ? ', not both' : ''}`,
  );
}

function buildPath({ operation, options, argument }: Variant, input: CommandInput): string {
  const ids: Record<string, string | undefined> = Object.fromEntries([
    ...options.map(({ param, option }) => [param, input.options[option]]),
    ...(argument === null ? [] : [[argument, input.argument]]),
  ]);
  const parsed = operation.params.safeParse(ids);
  if (!parsed.success) {
    const names = new Map(options.map(({ param, option }) => [param, `--${option}`]));
    throw invalid(parsed.error, (param) => names.get(param) ?? 'the id');
  }
  const params = parsed.data as Record<string, string>;
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Builds the query from the filters, without paging. */
function buildQuery({ operation, query: fields }: Variant, input: CommandInput): URLSearchParams {
  const query = parseValues(fields, input);
  const parsed = operation.query.safeParse(query);
  if (!parsed.success) throw invalidField(parsed.error, fields);
  return new URLSearchParams(query as Record<string, string>);
}

function parseValues(fields: Field[], { options }: CommandInput): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, option, read }) => {
      const text = options[option];
      return text === undefined ? [] : [[name, read(text)]];
    }),
  );
}

function buildBody({ body: fields, constants }: Variant, input: CommandInput, schema: z.ZodType): unknown {
  const body = { ...constants, ...parseValues(fields, input) };
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
    hints: ['--help lists the options of the command.'],
  });
}

/** Maximum page size of the operator API. */
const pageSize = 200;

type List = { path: string; query: URLSearchParams; operationId: string };

/** Reads all pages, or as many elements as `--limit`. */
async function listAll({ path, query: filters, operationId }: List, run: Run): Promise<number> {
  const { target, terminal, limit } = run;
  const rows: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  let more = true;
  while (more && rows.length < limit) {
    const size = Math.min(pageSize, limit - rows.length);
    const query = new URLSearchParams(filters);
    query.set('limit', String(size));
    if (cursor !== null) query.set('cursor', cursor);
    const call = callOperatorApi(target, { method: 'GET', path: `${path}?${query.toString()}` });
    const { data, pagination }: ApiResponse = await showWaiting(
      terminal,
      `reading, ${rows.length} so far`,
      call,
    );
    rows.push(...(data as Record<string, unknown>[]));
    const next: string | null = pagination?.next_cursor ?? null;
    more = (pagination?.has_more ?? false) && next !== null && next !== cursor;
    cursor = next;
  }
  showRows(operationId, rows, run);
  if (more) terminal.note(`there are more than ${limit} elements: use a larger --limit\n`);
  return exitStatus.done;
}

function showRows(operationId: string, rows: Record<string, unknown>[], { terminal, json }: Run): void {
  if (json) {
    terminal.print(asJson(rows));
    return;
  }
  const { columns, unlimited } = getView(operationId);
  terminal.print(`${rowsTable(rows, { columns, width: terminal.width, unlimited })}\n`);
  const omitted = columns === undefined ? nestedFields(rows) : [];
  if (omitted.length > 0)
    terminal.note(`not in the table: ${omitted.join(', ')}; \`get\` or --json show them\n`);
  if (operationId === operatorListUsage.id && rows.length > 0) {
    const used = rows.reduce((sum, row) => sum + Number(row['used']), 0);
    terminal.note(`${rows.length} keys, ${used} requests\n`);
  }
}
