/** The SDK's types and methods, generated from the contract library, so that the SDK depends on neither it nor zod. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  errorCodes,
  type ErrorCode,
  type Operation,
  operations,
  PropertyPartialFailure,
  webhookEvents,
} from '@bv/contract';
import { z } from 'zod';
import { publicDetails } from './openapi/error-codes.ts';
import { openType, TypePrinter } from './sdk-types.ts';

const header = `// Generated from @bv/contract by \`pnpm generate\`; changes belong there.\n`;

const hasParams = (operation: Operation): boolean => operation.path.includes('{');
const isList = (operation: Operation): boolean => operation.success.kind === 'list';
const capitalise = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
const inputName = (operation: Operation): string => `${capitalise(operation.id)}Input`;
const bodyName = (operation: Operation): string => `${capitalise(operation.id)}Body`;

const getQuery = (operation: Operation): z.ZodRawShape => (operation.query as z.ZodObject).shape;

/** Path and query parameters in one object. */
function getInputSchema(operation: Operation): z.ZodType | undefined {
  if (!isList(operation) && !hasParams(operation)) return undefined;
  return z.object({ ...(operation.params as z.ZodObject).shape, ...getQuery(operation) });
}

function errorDetails(printer: TypePrinter): string {
  const codes = [...new Set(operations.flatMap(({ errors }) => errors))].toSorted();
  const rows = codes.map((code: ErrorCode) => {
    const { message, status } = errorCodes[code];
    const details = publicDetails(code);
    const type = details === null ? 'undefined' : printer.print(details, 'output');
    return `/** ${status}: ${message}. */\n${code}: ${type};`;
  });
  // Refusals of the HTTP parser and of CORS belong to no operation.
  for (const code of ['invalid_request', 'headers_too_large', 'cors_disabled'] as const) {
    rows.push(`/** ${errorCodes[code].status}: ${errorCodes[code].message}. */\n${code}: undefined;`);
  }
  return `/** Type of \`details\` by error code. */\nexport type ErrorDetails = {\n${rows.join('\n')}\n};`;
}

function typesFile(printer: TypePrinter): string {
  const shapes = operations.flatMap((operation) => {
    const input = getInputSchema(operation);
    return [
      ...(input === undefined
        ? []
        : [`export type ${inputName(operation)} = ${printer.print(input, 'input')};`]),
      ...(operation.body === null
        ? []
        : [`export type ${bodyName(operation)} = ${printer.print(operation.body, 'input')};`]),
    ];
  });
  const events = Object.entries(webhookEvents).map(
    ([type, schema]) => `${JSON.stringify(type)}: ${printer.print(schema, 'output')};`,
  );
  printer.print(PropertyPartialFailure, 'output');
  const details = errorDetails(printer);
  const eventMap = `/** The body of every webhook by its type. */\nexport type WebhookEvents = {\n${events.join('\n')}\n};`;
  return [
    `${header}/* oxlint-disable max-lines */`,
    openType,
    ...printer.declarations(),
    ...shapes,
    details,
    eventMap,
  ].join('\n\n');
}

/** Names of the fields of a request body. */
function getFields(body: z.ZodType): string[] {
  const { $ref = '', $defs = {}, ...root } = z.toJSONSchema(body, { io: 'input' });
  const { properties = {} } = $defs[$ref.replace('#/$defs/', '')] ?? root;
  return Object.keys(properties);
}

function methodComment({ summary, description, method: verb, path, partnerOnly }: Operation): string {
  const paragraphs = [
    `${summary}.`,
    ...(description === undefined ? [] : [description]),
    `${verb} ${path}.${partnerOnly ? ' Partner keys only.' : ''}`,
  ];
  const lines = paragraphs.join('\n\n').split('\n');
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n');
}

/** One method of the client: `(input?, body?, options?)`. */
function method(operation: Operation, data: string): string {
  const { id } = operation;
  const comment = methodComment(operation);
  if (isList(operation)) {
    const input = `input: ${inputName(operation)}${hasParams(operation) ? '' : ' = {}'}`;
    return `${comment}\n${id}(${input}, options: ListOptions = {}): List<${data}> {\nreturn this.list(table.${id}, input, options);\n}`;
  }
  const args = [
    ...(hasParams(operation) ? [`params: ${inputName(operation)}`] : []),
    ...(operation.body === null
      ? []
      : [`body: ${bodyName(operation)}${operation.body.isOptional() ? ' = {}' : ''}`]),
    `options: ${operation.idempotent ? 'WriteOptions' : 'CallOptions'} = {}`,
  ];
  const params = hasParams(operation) ? 'params' : '{}';
  const body = operation.body === null ? 'undefined' : 'body';
  return `${comment}\n${id}(${args.join(', ')}): ApiPromise<${data}> {\nreturn this.call(table.${id}, ${params}, ${body}, options);\n}`;
}

function operationsFile(printer: TypePrinter, version: string): string {
  const rows = operations.map((operation) => {
    const { id, method: verb, path, idempotent } = operation;
    const names = isList(operation) ? [] : Object.keys(getQuery(operation));
    const query = names.length === 0 ? '' : `, query: ${JSON.stringify(names)}`;
    const fields = operation.body === null ? '' : `, fields: ${JSON.stringify(getFields(operation.body))}`;
    return `${id}: { id: '${id}', method: '${verb}', path: '${path}', idempotent: ${idempotent}${query}${fields} },`;
  });
  const methods = operations.map((operation) =>
    method(operation, printer.print(operation.success.data, 'output')),
  );
  const used = new Set(methods.join('\n').match(/\b[A-Z]\w+\b/g));
  const known = [
    ...printer.declarations().map((line) => /^export type (\w+)/.exec(line)?.[1] ?? ''),
    ...operations.flatMap((operation) => [inputName(operation), bodyName(operation)]),
  ];
  const imports = known.filter((name) => used.has(name)).toSorted();
  return `${header}/* oxlint-disable max-lines */
import type { ApiPromise } from '../api-promise.ts';
import type { List } from '../list.ts';
import type { CallOptions, ListOptions, Operation, WriteOptions } from '../options.ts';
import type { ${imports.join(', ')} } from './types.ts';

export const sdkVersion = '${version}';

const table = {\n${rows.join('\n')}\n} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof table;

export abstract class Operations {
  protected abstract call<T>(operation: Operation, params: object, body: unknown, options: WriteOptions): ApiPromise<T>;
  protected abstract list<T>(operation: Operation, input: object, options: ListOptions): List<T>;

${methods.join('\n\n')}
}
`;
}

/** A copy, because the published SDK has no dependencies. */
function retryAfterFile(root: string): string {
  const source = readFileSync(join(root, 'libs/resilience/src/retry-after.ts'), 'utf8');
  return `// Generated from @bv/resilience by \`pnpm generate\`; changes belong there.\n\n${source}`;
}

/** A copy, because the published SDK has no dependencies. */
function contractFile(root: string, name: string): string {
  const source = readFileSync(join(root, 'libs/contract/src', name), 'utf8');
  const types = source.replace(/ from '.*';$/m, " from './types.ts';");
  return `// Generated from @bv/contract by \`pnpm generate\`; changes belong there.\n\n${types}`;
}

function formatted(root: string, path: string, text: string): string {
  const oxfmt = join(root, 'node_modules/oxfmt/bin/oxfmt');
  return execFileSync(process.execPath, [oxfmt, `--stdin-filepath=${path}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });
}

/** Path and content of the SDK's generated sources. */
export function sdkSources(root: string): [path: string, content: string][] {
  const manifest = readFileSync(join(root, 'clients/sdk/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const printer = new TypePrinter();
  const files = {
    'operations.ts': operationsFile(printer, version),
    'types.ts': typesFile(printer),
    'retry-after.ts': retryAfterFile(root),
    ...Object.fromEntries(
      ['describe-comparison.ts', 'describe-experiment.ts', 'describe-precision.ts'].map((name) => [
        name,
        contractFile(root, name),
      ]),
    ),
  };
  return Object.entries(files).map(([name, text]) => {
    const path = `clients/sdk/src/generated/${name}`;
    return [path, formatted(root, path, text)];
  });
}
