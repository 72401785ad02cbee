import { register } from 'node:module';
import { ExpressInstrumentation, ExpressLayerType } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';

const probePaths = new Set(['/livez', '/readyz', '/startupz', '/metrics']);
const patchedModules = ['http', 'node:http', 'https', 'node:https', 'express', 'pg', 'pg-pool', 'ioredis'];

/** Starts the SDK with traces alone: metrics are prom-client's, logs are pino's. */
export function startTracing(): void {
  // ES modules can only be patched by a loader hook that is in place before the app's imports are resolved.
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
      // Polling loops would otherwise start a new trace at every tick.
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
      new IORedisInstrumentation({ requireParentSpan: true }),
    ],
  });
  sdk.start();
  // The event loop is empty, so the app has closed everything: send what is still buffered, then let it end.
  process.once('beforeExit', () => {
    sdk.shutdown().catch(() => undefined);
  });
}
