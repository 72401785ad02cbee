import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCollector } from './collector.ts';
import type { ReceivedSpan } from './collector.ts';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const register = file('../src/register.ts');
const baseEnvironment = { PATH: process.env['PATH'] ?? '', OTEL_NODE_RESOURCE_DETECTORS: 'none' };

function runNode(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--conditions=@bv/source', ...args], {
    env: { ...baseEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => lines.push(line));
  return { child, lines, reader, exited: once(child, 'exit') };
}

async function loadedModules(environment: Record<string, string>): Promise<string[]> {
  const args = [
    '--import',
    file('fixtures/record-modules.ts'),
    '--import',
    register,
    file('fixtures/list-modules.ts'),
  ];
  const { lines, exited } = runNode(args, environment);
  expect(await exited).toEqual([0, null]);
  return JSON.parse(lines[0] ?? '[]') as string[];
}

const heavy = /@opentelemetry\/(sdk|instrumentation|exporter|core)|import-in-the-middle/;

describe('without an exporter', () => {
  test.each([
    {},
    { OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' },
  ])('nothing of the SDK is loaded (%j)', async (environment) => {
    const modules = await loadedModules(environment as Record<string, string>);
    expect(modules).toContainEqual(expect.stringContaining('/telemetry/src/register.ts'));
    expect(modules.filter((url) => heavy.test(url))).toEqual([]);
  });

  test('with an exporter the SDK is loaded, which the recorder detects', async () => {
    const modules = await loadedModules({ OTEL_TRACES_EXPORTER: 'console' });
    expect(modules).toContainEqual(expect.stringContaining('@opentelemetry/sdk-node'));
  });
});

describe('with a collector', () => {
  let spans: ReceivedSpan[];
  let close: () => void;
  let logLines: Record<string, unknown>[];
  let carrier: { traceparent?: string };
  let innerTraceId: string;

  beforeAll(async () => {
    const collector = await startCollector();
    spans = collector.spans;
    close = () => collector.close();
    const { child, lines, reader, exited } = runNode(['--import', register, file('fixtures/traced-app.ts')], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'traced',
      POSTGRES_URL: process.env['TEST_POSTGRES_URL'] ?? '',
      REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
    });
    const [listening] = (await once(reader, 'line')) as [string];
    const baseUrl = `http://127.0.0.1:${listening.split(' ')[1]}`;
    carrier = (await (await fetch(`${baseUrl}/outer/7`)).json()) as typeof carrier;
    innerTraceId = ((await (await fetch(`${baseUrl}/inner`)).json()) as { traceId: string }).traceId;
    await (await fetch(`${baseUrl}/livez`)).text();
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    logLines = lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>);
  });
  afterAll(() => close());

  const named = (name: string) => spans.filter((span) => span.name === name);

  test('the server span of the request arrives, named by its route', () => {
    expect(named('GET /outer/:id')).toMatchObject([
      { kind: 2, scope: '@opentelemetry/instrumentation-http' },
    ]);
  });

  test('the call to another service continues the same trace', () => {
    const [outer] = named('GET /outer/:id');
    const client = spans.find(({ scope }) => scope === '@opentelemetry/instrumentation-undici');
    const inner = named('GET /inner').find(({ parentSpanId }) => parentSpanId === client?.spanId);
    expect(client?.traceId).toBe(outer?.traceId);
    expect(inner?.traceId).toBe(outer?.traceId);
  });

  test('own spans carry their attributes, and the injected context names them', () => {
    const [own] = named('own.work');
    expect(own?.attributes).toEqual({ 'work.kind': 'test' });
    expect(carrier.traceparent).toBe(`00-${own?.traceId}-${own?.spanId}-01`);
  });

  test('an extracted context is active inside the function', () => {
    expect(innerTraceId).toBe('0af7651916cd43dd8448eb211c80319c');
  });

  test('Postgres and Redis calls are spans that show no values', () => {
    const database = spans.filter(({ scope }) => /-(pg|ioredis)$/.test(scope));
    expect(database.map(({ scope }) => scope)).toEqual(
      expect.arrayContaining(['@opentelemetry/instrumentation-pg', '@opentelemetry/instrumentation-ioredis']),
    );
    expect(JSON.stringify(database)).not.toContain('secret-value');
  });

  test('log lines carry the ids of the active span', () => {
    expect(logLines).toMatchObject([{ msg: 'in a span', trace_id: named('own.work')[0]?.traceId }]);
  });

  test('probes are not traced', () => {
    expect(spans.filter(({ name }) => name.includes('livez'))).toEqual([]);
  });
});
