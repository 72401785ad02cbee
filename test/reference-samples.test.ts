import { BrandVisibilityClient } from '@bv/sdk';
import { describe, expect, test } from '@jest/globals';
import { referencePages } from '../docs/.vitepress/reference/pages.ts';

type Sent = { method: string; path: string; body: unknown };

const variables: Record<string, string> = {
  ORG: 'orgId',
  BRAND: 'brandId',
  PROMPT: 'promptId',
  COMPETITOR: 'competitorId',
  JOB: 'jobId',
  EXPERIMENT: 'experimentId',
  ENDPOINT: 'endpointId',
  DELIVERY: 'deliveryId',
  SUBSCRIPTION: 'subscriptionId',
};
/** Each variable has its own name as value. */
const ids = Object.values(variables);

const samples = referencePages().flatMap(([, markdown]) =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const read = (title: string): string =>
        new RegExp(`^\`\`\`\\w+ \\[${title}\\]\\n([^]*?)^\`\`\``, 'm').exec(section)?.[1] ?? '';
      const id = /\{#(\w+)\}/.exec(section)?.[1] ?? '';
      return { id, curl: read('curl'), typescript: read('TypeScript') };
    }),
);

function readCurl(text: string): Sent {
  const method = /-X (\w+)/.exec(text)?.[1] ?? 'GET';
  const path = /"\$API([^"]*)"/.exec(text)?.[1] ?? '';
  const body = /-d '([^]*)'/.exec(text)?.[1];
  return {
    method,
    path: path.replaceAll(/\$([A-Z]+)/g, (_all, name: string) => variables[name] ?? name),
    body: body === undefined ? undefined : (JSON.parse(body) as unknown),
  };
}

/** Runs the sample with a client whose requests reach no server. */
async function runTypeScript(text: string): Promise<Sent[]> {
  const sent: Sent[] = [];
  const fetch = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
    const path = url.pathname.slice('/v1'.length) + url.search;
    sent.push({ method: init.method ?? 'GET', path, body });
    return Promise.resolve(Response.json({ data: [], pagination: { next_cursor: null, has_more: false } }));
  };
  const client = new BrandVisibilityClient({ baseUrl: 'https://api.example.com/v1', apiKey: 'key', fetch });
  const names = ['client', ...ids];
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the sample itself is tested
  await new Function(...names, `return (async () => { ${text} })();`)(client, ...ids);
  return sent;
}

describe('samples of the reference', () => {
  test.each(samples)('$id: curl and TypeScript send the same request', async ({ curl, typescript }) => {
    expect(await runTypeScript(typescript)).toEqual([readCurl(curl)]);
  });
});
