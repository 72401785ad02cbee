import { expect, test } from '@jest/globals';
import {
  operatorDeleteBrandUnits,
  operatorDeleteLink,
  operatorDeleteOrg,
  operatorGetOrg,
  operatorReprocessBrands,
  operatorRevokeKey,
} from '@bv/contract';
import { confirm, type Read } from './confirm.ts';
import type { Terminal } from './terminal.ts';

/** A terminal whose user gives this reply, and the questions that were shown on it. */
function createTerminal(reply: string) {
  const questions: string[] = [];
  const prompt = async (question: string): Promise<string> => {
    questions.push(question);
    return reply;
  };
  return { questions, terminal: { prompt } as unknown as Terminal };
}

const key = {
  key_prefix: 'bvk_live_abc',
  name: 'Production',
  revoked_at: null,
  owner_kind: 'partner',
  owner_name: 'Globex',
};
const links = { data: Array(200).fill({}), pagination: { next_cursor: 'c', has_more: true } };
const responses: Record<string, { data: unknown; pagination?: typeof links.pagination }> = {
  '/orgs/o': { data: { name: 'Acme', usage: { own_brands: { used: 1 }, prompts: { used: 12 } } } },
  '/orgs/o/keys?limit=200': { data: [{ revoked_at: null }, { revoked_at: '2026-01-01T00:00:00Z' }] },
  '/orgs/o/links?limit=200': links,
  '/keys/k': { data: key },
  '/partners/p': { data: { name: 'Globex' } },
  '/brands/b/units/count?from=2026-01-01&to=2026-01-02': { data: { imported: 120, scanned: 1 } },
};
const read: Read = async (path) => {
  const response = responses[path];
  if (response === undefined) throw new Error(`no response for ${path}`);
  return response;
};

const input = (options: Record<string, string>, argument?: string) => ({ argument, options });
const window = { brand: 'b', from: '2026-01-01', to: '2026-01-02' };

const confirmed: [string, ReturnType<typeof input>, RegExp][] = [
  [
    operatorDeleteOrg.id,
    input({}, 'o'),
    /"Acme" has 1 own brand, 12 active prompts, 1 key, and 200 or more partner links/,
  ],
  [operatorRevokeKey.id, input({}, 'k'), /bvk_live_abc… "Production" of partner "Globex"/],
  [
    operatorDeleteLink.id,
    input({ partner: 'p', org: 'o' }),
    /"Globex" no longer reaches organisation "Acme"/,
  ],
  [operatorDeleteBrandUnits.id, input(window), /^120 imported units .* 1 unit of scans stay/],
  [operatorReprocessBrands.id, input({ all: 'true' }), /all organisations/],
];

test.each(confirmed)('%s says what goes and is sent after a yes only', async (id, given, question) => {
  const { questions, terminal } = createTerminal('y');
  await confirm(id, given, { terminal, read });
  expect(questions).toEqual([expect.stringMatching(question)]);
  for (const reply of ['', 'no']) {
    const declined = confirm(id, given, { terminal: createTerminal(reply).terminal, read });
    await expect(declined).rejects.toThrow('Not confirmed');
  }
});

test.each(confirmed)('%s needs --yes without a terminal', async (id, given) => {
  const terminal = {} as unknown as Terminal;
  await expect(confirm(id, given, { terminal, read })).rejects.toThrow('needs --yes');
  const options = { ...given.options, yes: 'true' };
  await expect(confirm(id, { ...given, options }, { terminal, read })).resolves.toBeUndefined();
});

test.each([
  ['for one organisation', operatorReprocessBrands.id, input({ org: 'o' })],
  ['for a read', operatorGetOrg.id, input({}, 'o')],
])('nothing is asked %s', async (_name, id, given) => {
  const { questions, terminal } = createTerminal('');
  await confirm(id, given, { terminal, read });
  expect(questions).toEqual([]);
});
