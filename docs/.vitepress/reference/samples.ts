/** The call of an operation by curl and by both clients, with the values of the recorded example. */
import type { Call, Parameter } from './openapi.ts';

const words = (name: string): string[] => name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase());
const snake = (name: string): string => words(name).join('_');
/** `orgId` is `$ORG` of the quick start. */
const variable = (name: string): string => `$${name.replace(/Id$/, '').toUpperCase()}`;

const isList = ({ operation }: Call): boolean => operation.parameters.some(({ name }) => name === 'cursor');
const bodyOf = ({ operation }: Call): unknown => operation.requestBody?.content?.['application/json'].example;
const named = ({ operation }: Call, place: Parameter['in']): Parameter[] =>
  operation.parameters.filter(({ in: at, required }) => at === place && required === true);

function curl(call: Call): string {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => variable(name));
  const query = named(call, 'query').map(({ name, example }) => `${name}=${String(example)}`);
  const body = bodyOf(call);
  const isIdempotent = call.operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  return [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}"$API${path}${query.length === 0 ? '' : `?${query.join('&')}`}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(isIdempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ].join(' \\\n  ');
}

/** A value as an object literal of TypeScript. */
function literal(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return json.replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:').replaceAll(/"((?:[^"\\']|\\[^"u])*)"/g, "'$1'");
}

function typescript(call: Call): string {
  const query = named(call, 'query').map(({ name, example }) => `${name}: ${literal(example)}`);
  const input = [...named(call, 'path').map(({ name }) => name), ...query];
  const body = bodyOf(call);
  const args = [
    ...(input.length === 0 ? [] : [`{ ${input.join(', ')} }`]),
    ...(body === undefined ? [] : [literal(body)]),
  ];
  const expression = `client.${call.operation.operationId}(${args.join(', ')})`;
  return isList(call)
    ? `for await (const row of ${expression}) console.log(row);`
    : `const result = await ${expression};`;
}

/** A value as a literal of Python. */
const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4)
    .replaceAll(/: true\b/g, ': True')
    .replaceAll(/: false\b/g, ': False')
    .replaceAll(/: null\b/g, ': None');

function python(call: Call): string {
  const keyword = (name: string): string => (name === 'from' ? 'from_' : name);
  const body = bodyOf(call);
  const args = [
    ...named(call, 'path').map(({ name }) => snake(name)),
    ...(body === undefined ? [] : [pythonLiteral(body)]),
    ...named(call, 'query').map(({ name, example }) => `${keyword(name)}=${pythonLiteral(example)}`),
  ];
  const expression = `client.${snake(call.operation.operationId)}(${args.join(', ')})`;
  return isList(call) ? `for row in ${expression}:\n    print(row)` : `result = ${expression}`;
}

const block = (language: string, title: string, code: string): string =>
  `\`\`\`${language} [${title}]\n${code}\n\`\`\``;

export const samples = (call: Call): string =>
  [
    '::: code-group',
    block('bash', 'curl', curl(call)),
    block('ts', 'TypeScript', typescript(call)),
    block('python', 'Python', python(call)),
    ':::',
  ].join('\n\n');
