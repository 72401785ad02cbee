/** The reference, from docs/openapi.json: a page for each tag, and an introduction. */
import { describeBody, describeParameters } from './fields.ts';
import { guideOf } from './guides.ts';
import { type Call, calls, document, type Operation } from './openapi.ts';
import { samples } from './samples.ts';

const show = (value: unknown): string => ['```json', JSON.stringify(value, null, 2), '```'].join('\n');

const introduction = `# Reference

The base URL is \`https://your-host/v1\`. Every request carries an API key:

::: code-group

\`\`\`bash [curl]
export API=https://your-host/v1 KEY=your-key
curl "$API/key" -H "Authorization: Bearer $KEY"
\`\`\`

\`\`\`ts [TypeScript]
import { BrandVisibilityClient } from '@bv/sdk';

const client = new BrandVisibilityClient({ baseUrl: 'https://your-host/v1', apiKey: 'your-key' });
\`\`\`

\`\`\`python [Python]
from bv_sdk import BrandVisibilityClient

client = BrandVisibilityClient(base_url="https://your-host/v1", api_key="your-key")
\`\`\`

:::

[Client libraries](guides/clients.md) says how to install the clients and how to generate others from \`/openapi.json\`. [Authentication](guides/authentication.md) describes keys, [pagination](guides/pagination.md) lists, [idempotency](guides/idempotency.md) repeated writes and [errors](guides/errors.md) refusals.

This page cannot send requests, because a key must not be entered into a browser.
`;

function page(tag: (typeof document.tags)[number]): string {
  const own = calls.filter(({ operation }) => operation.tags.includes(tag.name));
  return [`# ${tag.name}`, tag.description, ...own.map(section)].join('\n\n');
}

function section(call: Call): string {
  const { method, path, operation } = call;
  const [status = '', success] = Object.entries(operation.responses)[0] ?? [];
  const body = operation.requestBody?.content?.['application/json'];
  const result = success?.content?.['application/json'];
  return [
    `## ${operation.summary} {#${operation.operationId}}`,
    `\`${method} ${path}\``,
    operation.description ?? '',
    `Guide: ${guideOf(call)}. Id: \`${operation.operationId}\`.`,
    samples(call),
    describeParameters(operation.parameters),
    ...(body === undefined ? [] : ['**Request body**', describeBody(body.schema)]),
    `**Response** \`${status}\``,
    ...(result === undefined
      ? []
      : [describeBody(result.schema), `::: details Example\n\n${show(result.example)}\n\n:::`]),
    `**Errors**: ${errors(operation)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The codes of an operation, each with a link to its meaning. */
function errors({ responses }: Operation): string {
  const codes = Object.values(responses).flatMap(({ $ref = '' }) => {
    const response = document.components.responses[$ref.split('/').at(-1) ?? ''];
    return Object.keys(response?.content?.['application/json'].examples ?? {});
  });
  return codes.map((code) => `[\`${code}\`](../guides/error-codes.md#${code})`).join(', ');
}

/** Path and Markdown of each page. */
export const referencePages = (): [path: string, markdown: string][] => [
  ['reference.md', introduction],
  ...document.tags.map((tag): [string, string] => [`reference/${tag.name.toLowerCase()}.md`, page(tag)]),
];
