import { operatorListAnswers } from '@bv/contract';
import { listAnswersRpc, type RpcRequest, serveRpc } from '@bv/events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Catalog, startCatalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const list = (query: string) => catalog.call(operatorListAnswers, { query });

test('a row an organisation by id, page by page, of the month of the first page', async () => {
  const ids = [
    await catalog.addOrg('growth'),
    await catalog.addOrg('growth'),
    await catalog.addOrg('growth'),
  ].sort();
  const requests: RpcRequest<typeof listAnswersRpc>[] = [];
  const scans = serveRpc(
    catalog.connection,
    listAnswersRpc,
    async (request) => {
      requests.push(request);
      return [{ org_id: ids[1]!, units: 30, cost_usd: null }];
    },
    { queue: 'scans', log: catalog.log },
  );
  await catalog.connection.connection.flush();
  const first = await list('month=2026-02&limit=2');
  const rest = await list(`limit=2&cursor=${first.pagination.next_cursor}`);
  const row = { org_name: 'Acme', month: '2026-02', units: 0, cost_usd: 0 };
  expect([...first.data, ...rest.data]).toEqual([
    { ...row, org_id: ids[0] },
    { ...row, org_id: ids[1], units: 30, cost_usd: null },
    { ...row, org_id: ids[2] },
  ]);
  expect(requests.map(({ month }) => month)).toEqual(['2026-02', '2026-02']);
  await scans.stop();
});

test('503 while scans does not reply: a list without counts would be a wrong bill', async () => {
  expect(await list('')).toMatchObject({ status: 503, refusal: { code: 'api_unavailable' } });
});
