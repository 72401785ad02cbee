import { ApiError, createProperty as operation } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { type PropertyRun, runPropertyCreation } from '../commands/create-property.ts';
import type { Context } from '../context.ts';
import { findBrandDetail } from '../db/brand-detail.ts';
import { deleteProgress } from '../db/operation-progress.ts';
import { parseProperty } from '../domain/property-input.ts';
import { partialFailure } from '../domain/property-outcome.ts';
import { presentBrandDetail } from './present.ts';

type Body = Parameters<typeof runPropertyCreation>[0]['body'];

export const createPropertyRoute = ({ pool, markets }: Context) =>
  route(operation, async ({ params: { orgId }, body, sentBody, caller }) => {
    const hosts = parseProperty(markets, body, sentBody);
    const run = await runPropertyCreation({ pool, orgId, operationId: caller.operationId, body, hosts });
    return runOnce(pool, caller, operation, (tx) => respond(tx, orgId, body, run));
  });

async function respond(tx: Transaction, orgId: string, body: Body, run: PropertyRun | undefined) {
  const detail = run && (await findBrandDetail(tx, orgId, run.brandId));
  if (!run || !detail) throw new ApiError('not_found');
  const { brand, competitors, changedAt } = detail;
  const created = { ...presentBrandDetail(brand, competitors, changedAt), markets: body.markets ?? [] };
  await deleteProgress(tx, run.operationId);
  return partialFailure(created, body.competitors ?? [], run.outcomes) ?? { data: created };
}
