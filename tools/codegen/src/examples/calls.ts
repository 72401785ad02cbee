/** Calls every operation of the public API once, against the organisation and brand of the demo. */
import { startReceiver } from '@bv/local-stack';
import { bodyExamples } from '../openapi/body-examples.ts';
import type { Recorder } from './recorder.ts';

const send = (recorder: Recorder, id: string): Promise<{ id: string }> =>
  recorder.call(id, { body: bodyExamples[id] });

/** The last seven complete days against the seven days before: today may be measured by a part of its scans. */
function compareCompleteDays(): Record<string, string> {
  const daysAgo = (days: number): string =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  return {
    metric: 'mention_rate',
    from_a: daysAgo(14),
    to_a: daysAgo(8),
    from_b: daysAgo(7),
    to_b: daysAgo(1),
  };
}

async function recordReads(recorder: Recorder): Promise<void> {
  await recorder.call('getKey');
  await recorder.call('listOrgs');
  await recorder.call('getOrg');
  await recorder.call('getMethodology');
  await recorder.call('listBrands', { query: { limit: '2' } });
  await recorder.call('getBrand');
  await recorder.call('listBrandSummaries', { query: { limit: '1' } });
  const [prompt] = await recorder.call<{ id: string }[]>('listPrompts', { query: { limit: '1' } });
  recorder.setId('prompt', prompt?.id);
  await recorder.call('listPromptResults', { query: { limit: '1', platform: 'chatgpt' } });
  await recorder.call('listMentions', { query: { limit: '2' } });
  await recorder.call('listScores', { query: { limit: '1', window: '7d' } });
  await recorder.call('compareScores', { query: compareCompleteDays() });
  await recorder.call('getPrecision');
  await recorder.call('getChanges', { query: { metric: 'mention_rate' } });
  await recorder.call('getScanPreview');
  await recorder.call('listShareOfVoice', { query: { limit: '2' } });
  await recorder.call('listSources', { query: { limit: '2' } });
  await recorder.call('listPages', { query: { limit: '1', gap: 'true' } });
  await recorder.call('listBreakdown', { query: { limit: '1', by: 'prompt' } });
  await recorder.call('listDiscoveredBrands', { query: { limit: '1' } });
  await recorder.call('getCoverage', { query: { subject: 'brands' } });
}

async function recordJobs(recorder: Recorder): Promise<void> {
  const hasEnded = ({ completed_at: time }: { completed_at: string | null }): boolean => time !== null;
  const scan = await recorder.call<{ job_id: string }>('requestScan');
  recorder.setId('scan job', scan.job_id);
  await recorder.callUntil('getScan', hasEnded);
  const reprocess = await recorder.call<{ job_id: string }>('reprocessBrand', { body: {} });
  recorder.setId('reprocess job', reprocess.job_id);
  await recorder.callUntil('getReprocess', hasEnded);
}

/** Writes to a brand of its own. Afterwards that of the demo is the current one again. */
async function recordBrandWrites(recorder: Recorder): Promise<void> {
  const demoBrand = recorder.getId('brand');
  await send(recorder, 'updateLink');
  type Property = { id: string; competitors: { id: string }[] };
  const property = (await send(recorder, 'createProperty')) as Property;
  recorder.setId('brand', property.id);
  recorder.setId('competitor', property.competitors[0]?.id);
  await send(recorder, 'updateBrand');
  await recorder.call('unlinkCompetitor');
  await send(recorder, 'linkCompetitor');
  await recordExperiments(recorder);
  const prompt = await send(recorder, 'createPrompt');
  recorder.setId('prompt', prompt.id);
  await send(recorder, 'updatePrompt');
  await send(recorder, 'syncPrompts');
  recorder.setId('brand', demoBrand);
}

/** Five prompts an arm, because fewer are refused. */
async function recordExperiments(recorder: Recorder): Promise<void> {
  const texts = Array.from({ length: 5 }, (_, index) => `Which CRM has the best report ${index + 1}?`);
  const prompts = ['product pages', 'unchanged'].flatMap((tag) =>
    texts.map((text) => ({ text: `${text} (${tag})`, countries: ['US'], tags: [tag] })),
  );
  for (const body of prompts) await recorder.call('createPrompt', { body });
  const starts_on = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const body = { ...(bodyExamples['createExperiment'] as object), starts_on };
  const experiment = await recorder.call('createExperiment', { body });
  recorder.setId('experiment', experiment.id);
  await recorder.call('getExperiment');
  await recorder.call('listExperiments', { query: { limit: '1' } });
  await recorder.call('stopExperiment');
}

type Endpoint = { id: string; status: string };
type Delivery = { id: string; status: string };

/** Replaces the endpoint of the demo by another one. */
async function recordWebhooks(recorder: Recorder): Promise<void> {
  const [demo] = await recorder.call<Endpoint[]>('listWebhookEndpoints');
  recorder.setId('webhook endpoint', demo?.id);
  await recorder.call('deleteWebhookEndpoint');
  const receiver = await startReceiver();
  try {
    const url = `${receiver.url}/webhooks`;
    const body = { ...(bodyExamples['createWebhookEndpoint'] as object), url };
    const endpoint = await recorder.call('createWebhookEndpoint', { body });
    recorder.setId('webhook endpoint', endpoint.id);
    const isActive = (endpoints: Endpoint[]): boolean =>
      endpoints.some(({ id, status }) => id === endpoint.id && status === 'active');
    await recorder.callUntil('listWebhookEndpoints', isActive);
    await send(recorder, 'updateWebhookEndpoint');
    await recorder.call('rotateWebhookSecret');
    const delivery = await recorder.call('testWebhookEndpoint');
    recorder.setId('delivery', delivery.id);
    const haveEnded = (deliveries: Delivery[]): boolean =>
      deliveries.every(({ status }) => status === 'succeeded');
    await recorder.callUntil('listDeliveries', haveEnded, { query: { include: 'event' } });
    await recorder.call('replayDelivery');
    const since = new Date(Date.now() - 86_400_000).toISOString();
    await recorder.call('recoverDeliveries', { body: { since } });
    const subscription = await send(recorder, 'createSubscription');
    recorder.setId('subscription', subscription.id);
    await recorder.call('listSubscriptions');
    await recorder.call('deleteSubscription');
    await recorder.call('deleteWebhookEndpoint');
  } finally {
    await receiver.close();
  }
}

/** Calls every operation of the public API. */
export async function recordCalls(recorder: Recorder): Promise<void> {
  await recordReads(recorder);
  await recordJobs(recorder);
  await recordBrandWrites(recorder);
  await recordWebhooks(recorder);
}
