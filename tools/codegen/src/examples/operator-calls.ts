/** Calls every operation of the operator API once. */
import { operatorBodyExamples } from '@bv/contract';
import { connectNats } from '@bv/events';
import { createLogger } from '@bv/telemetry';
import type { Recorder } from './recorder.ts';

const send = (recorder: Recorder, id: string): Promise<{ id: string }> =>
  recorder.call(id, { body: operatorBodyExamples[id] });

const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Reads what the demo has. The calls of the public API delete its webhook endpoint, so these run first. */
export async function recordOperatorReads(recorder: Recorder): Promise<void> {
  await recorder.call('operatorGetStatus');
  await recorder.call('operatorListTiers');
  await recorder.call('operatorListOrgs');
  await recorder.call('operatorGetOrg');
  const [partner] = await recorder.call<{ id: string }[]>('operatorListPartners');
  recorder.setId('partner', partner?.id);
  await recorder.call('operatorGetPartner');
  await recorder.call('operatorListPartnerLinks');
  await recorder.call('operatorListOrgLinks');
  await recorder.call('operatorListOrgKeys');
  await recorder.call('operatorListPartnerKeys');
  await recorder.call('operatorListUsage');
  await recorder.call('operatorListAnswers');
  await recorder.call('operatorListOrgBrands');
  await recorder.call('operatorGetBrand');
  const [prompt] = await recorder.call<{ id: string }[]>('operatorListBrandPrompts');
  recorder.setId('prompt', prompt?.id);
  await recorder.call('operatorListOrgPrompts');
  await recorder.call('operatorGetPrompt');
  await recordWebhookReads(recorder);
}

async function recordWebhookReads(recorder: Recorder): Promise<void> {
  const [endpoint] = await recorder.call<{ id: string }[]>('operatorListEndpoints');
  recorder.setId('webhook endpoint', endpoint?.id);
  await recorder.call('operatorGetEndpoint');
  type Delivery = { id: string; event_id: string };
  const [delivery] = await recorder.call<Delivery[]>('operatorListEndpointDeliveries');
  recorder.setId('delivery', delivery?.id);
  await recorder.call('operatorGetDelivery');
  recorder.setId('webhook event', delivery?.event_id);
  await recorder.call('operatorListWebhookEvents');
  await recorder.call('operatorGetWebhookEvent');
  await recorder.call('operatorDisableEndpoint');
  await recorder.call('operatorEnableEndpoint');
}

export async function recordOperatorWrites(recorder: Recorder, natsUrl: string): Promise<void> {
  await recordUnits(recorder);
  await recorder.call('operatorArchiveBrand');
  await recorder.call('operatorRestoreBrand');
  await recorder.call('operatorRunScan');
  await send(recorder, 'operatorCreatePartner').then(({ id }) => recorder.setId('partner', id));
  await send(recorder, 'operatorCreatePartnerKey');
  await send(recorder, 'operatorPutLink');
  await recorder.call('operatorDeleteLink');
  await send(recorder, 'operatorUpdatePartner');
  await send(recorder, 'operatorCreateOrg').then(({ id }) => recorder.setId('organisation', id));
  await send(recorder, 'operatorUpdateOrg');
  await send(recorder, 'operatorAddScanCredits');
  await send(recorder, 'operatorCreateOrgKey').then(({ id }) => recorder.setId('key', id));
  await recorder.call('operatorGetKey');
  await recorder.call('operatorRevokeKey');
  await recorder.call('operatorDeleteOrg');
  await recorder.call('operatorPurgeOrg');
  await recorder.call('operatorGetOrgPurge');
  await recordDeadEvent(recorder, natsUrl);
  await recorder.call('operatorRepublishEvents', { body: { since: new Date().toISOString() } });
}

/** Imports and deletes a unit of a day without other units. */
async function recordUnits(recorder: Recorder): Promise<void> {
  const day = dayAgo(60);
  const brand_id = recorder.getId('brand');
  const unit = operatorBodyExamples['operatorImportResults'] as object;
  const brands = [{ brand_id, position: 1, sentiment: 75 }];
  const line = { ...unit, brand_id, prompt_id: recorder.getId('prompt'), run_date: day, brands };
  await recorder.call('operatorImportResults', { body: line });
  const window = { from: day, to: day };
  await recorder.call('operatorCountBrandUnits', { query: window });
  await recorder.call('operatorDeleteBrandUnits', { body: { ...window, import_only: true } });
  await recorder.call('operatorReprocessBrands', { body: { org_id: recorder.getId('organisation') } });
}

/** Publishes a message without the data of a brand, which violates the schema of its consumers. */
async function recordDeadEvent(recorder: Recorder, natsUrl: string): Promise<void> {
  const log = createLogger({ service: 'examples', level: 'silent' });
  const nats = await connectNats({ url: natsUrl, name: 'examples', log });
  const message = { type: 'catalog.brand.changed.v1', version: 1, time: new Date().toISOString() };
  nats.connection.publish('events.catalog.brand.changed.v1', JSON.stringify(message));
  await nats.close();
  await recorder.callUntil<{ id: string }[]>('operatorListDeadEvents', (events) => events.length > 0);
  const [event] = await recorder.call<{ id: string }[]>('operatorListDeadEvents');
  recorder.setId('dead-letter event', event?.id);
  await recorder.call('operatorGetDeadEvent');
  await recorder.call('operatorRedriveDeadEvent');
  await recorder.call('operatorDismissDeadEvent');
}
