/** Receives webhooks with node:http. Requires PORT and BV_WEBHOOK_SECRET (returned once, at creation of the endpoint). */
import { createServer, type IncomingMessage } from 'node:http';
import { describeExperiment, verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@bv/sdk';
import { readSetting } from './config.ts';

const secret = readSetting('BV_WEBHOOK_SECRET');
const MAX_BODY_BYTES = 1_000_000;
/** Deliveries may repeat. A real receiver stores the handled ids in its database. */
const handled = new Set<string>();

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function handle(event: WebhookEvent): void {
  switch (event.type) {
    case 'scan.completed':
      console.log(`${event.type} ${event.data.brand.name} score ${event.data.score.value}`);
      break;
    case 'score.threshold_crossed':
    case 'sentiment.threshold_crossed':
      console.log(`${event.type} ${event.data.brand.name} ${event.data.previous} -> ${event.data.current}`);
      break;
    case 'score.changed':
      console.log(
        `${event.type} ${event.data.brand.name} ${event.data.metric} ${event.data.a.value} -> ${event.data.b.value}`,
      );
      break;
    case 'experiment.completed':
      console.log(`${event.type} ${describeExperiment(event.data.experiment)}`);
      break;
    case 'endpoint.ping':
      console.log(`${event.type} ${event.data.endpoint_id}`);
      break;
    default:
      // An event type of a later version.
      break;
  }
}

const server = createServer((request, response) => {
  void (async () => {
    try {
      const event = await verifyWebhook({ headers: request.headers, body: await readBody(request) }, secret);
      if (!handled.has(event.id)) handle(event);
      handled.add(event.id);
      response.writeHead(204).end();
    } catch (error) {
      const status = error instanceof WebhookVerificationError ? 400 : 500;
      console.error(error instanceof WebhookVerificationError ? `rejected: ${error.reason}` : error);
      response.writeHead(status).end();
    }
  })();
});
server.listen(Number(readSetting('PORT')), '127.0.0.1', () => console.log('listening'));
