/** The public API as a collection for Postman and newman, from its OpenAPI document. */
import { convertV2, type Conversion } from 'openapi-to-postmanv2';

type Parameter = { key: string; value: string; description?: unknown };
type Item = {
  name: string;
  item?: Item[];
  request?: { method: string; url: { variable: Parameter[] } };
  [field: string]: unknown;
};
type Collection = {
  info: { name: string; description: unknown };
  variable: { key: string; value: string; description?: string }[];
  auth: object;
  item: Item[];
};
type Operation = { responses: Record<string, unknown> };
type Document = { paths: Record<string, Record<string, Operation>>; webhooks?: unknown };

const options = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  enableOptionalParameters: false,
  alwaysInheritAuthentication: true,
};

/** Without webhooks, which are no requests of a client, and without errors, which would triple the size. */
function withoutErrors({ webhooks: _, ...document }: Document): object {
  const copy = structuredClone(document);
  for (const operation of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).filter(([status]) => status.startsWith('2')),
    );
  }
  return copy;
}

function convert(document: object): Promise<Collection> {
  return new Promise((resolve, reject) => {
    convertV2({ type: 'json', data: document }, options, (error, conversion?: Conversion) => {
      const collection = conversion?.output?.[0]?.data;
      if (collection !== undefined) resolve(collection as Collection);
      else reject(new Error(`no Postman collection: ${conversion?.reason ?? ''}`, { cause: error }));
    });
  });
}

/** Removes what is random, and says that descriptions are Markdown. */
function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([name]) => name !== 'id' && name !== '_postman_id')
    .map(([name, field]) => [
      name,
      name === 'type' && field === 'text/plain' ? 'text/markdown' : steady(field),
    ]);
  return Object.fromEntries(fields);
}

/** Replaces the ids in paths by variables of the collection. Returns their examples. */
function useVariables(items: Item[], examples = new Map<string, string>()): Map<string, string> {
  for (const { item, request } of items) {
    for (const parameter of request?.url.variable ?? []) {
      if (!examples.has(parameter.key)) examples.set(parameter.key, parameter.value);
      parameter.value = `{{${parameter.key}}}`;
    }
    useVariables(item ?? [], examples);
  }
  return examples;
}

/** Deletions last, so that a run of a folder still has what its other requests name. */
function deleteLast({ item = [], ...folder }: Item): Item {
  const isDeletion = ({ request }: Item): number => Number(request?.method === 'DELETE');
  return { ...folder, item: item.toSorted((a, b) => isDeletion(a) - isDeletion(b)) };
}

export async function postmanCollection(document: object): Promise<object> {
  const collection = steady(await convert(withoutErrors(document as Document))) as Collection;
  const ids = [...useVariables(collection.item)].map(([key, value]) => ({ key, value }));
  return {
    ...collection,
    item: collection.item.map(deleteLast),
    variable: [
      {
        key: 'baseUrl',
        value: 'https://api.example.com/v1',
        description: 'Address of your installation, with /v1.',
      },
      { key: 'apiKey', value: '', description: 'Your API key.' },
      ...ids,
    ],
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
  };
}
