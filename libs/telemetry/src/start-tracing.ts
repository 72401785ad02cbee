import { register } from 'node:module';
import { ExpressInstrumentation, ExpressLayerType } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';

const probePaths = new Set(['/livez', '/readyz', '/startupz', '/metrics']);
const patchedModules = ['http', 'node:http', 'https', 'node:https', 'express', 'pg', 'pg-pool', 'ioredis'];

/** Starts the SDK for traces only, because prom-client exports metrics and pino writes logs. */
export function startTracing(): void {
  // Only a loader hook that is registered before the app's imports are resolved can patch ES modules.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url, { data: { include: patchedModules } });
  const sdk = new NodeSDK({
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url = '' }) => probePaths.has(url.split('?')[0] ?? ''),
      }),
      new ExpressInstrumentation({ ignoreLayersType: [ExpressLayerType.MIDDLEWARE] }),
      new UndiciInstrumentation(),
      // Otherwise polling loops would start a new trace at every tick.
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
      new IORedisInstrumentation({ requireParentSpan: true }),
    ],
  });
  sdk.start();
  // The event loop is empty, so the app has closed everything. Send the buffered spans before the exit.
  process.once('beforeExit', () => {
    sdk.shutdown().catch(() => undefined);
  });
}
