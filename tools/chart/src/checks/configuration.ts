import { strict as assert } from 'node:assert';
import { loadConfigSchema } from '@bv/codegen';
import { z } from 'zod';
import { check } from '../check.ts';
import { components, isSecret } from '../components.ts';
import type { Schema } from '../free-forms.ts';
import {
  evaluation,
  named,
  ofKind,
  production,
  render,
  valuesFiles,
  workloads,
  type Manifest,
} from '../render.ts';
import type { Values } from '../values.ts';

/** Variables that a container may have in addition to those of its program. */
const runtimeVariable = /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|OTEL_\w+|TZ)$/;

/** The variables of a program, and whether each is required. */
async function variablesOf(program: string): Promise<Map<string, boolean>> {
  const { shape } = await loadConfigSchema(program);
  const fields = Object.entries(shape) as [string, z.ZodType][];
  return new Map(fields.map(([name, field]) => [name, !field.safeParse(undefined).success]));
}

/** A valid value for a variable from an existing Secret. */
const sampleSecret = (name: string): string => {
  if (/_KEYS|PEPPERS/.test(name)) return `1:${Buffer.alloc(32, 1).toString('base64')}`;
  if (name === 'NATS_URL') return 'nats://host:4222';
  if (name.startsWith('REDIS_')) return 'redis://host:6379';
  return name.endsWith('_URL') ? 'postgres://bv_x:secret@host:5432/database' : 'a-secret-of-some-length';
};

/** Resolves the environment of a container. Existing Secrets have valid values. */
function environmentOf(manifests: Manifest[], container: Schema): Map<string, string> {
  const dataOf = (kind: string, name: string): Record<string, string> | undefined =>
    ofKind(manifests, kind).find(({ metadata }) => metadata.name === name)?.['data'];
  const environment = new Map<string, string>();
  for (const { configMapRef } of container['envFrom'] ?? []) {
    const values = dataOf('ConfigMap', configMapRef.name) ?? {};
    for (const [name, value] of Object.entries(values)) environment.set(name, value);
  }
  for (const { name, value, valueFrom } of container['env'] ?? []) {
    const resolved = value ?? fromSecret(name, valueFrom.secretKeyRef);
    if (resolved !== undefined) environment.set(name, resolved);
  }
  return environment;

  function fromSecret(name: string, { name: secret, key, optional }: Schema): string | undefined {
    const data = dataOf('Secret', secret);
    if (!data) return sampleSecret(name);
    const encoded = data[key];
    assert.ok(encoded !== undefined || optional, `${secret} lacks ${key}`);
    return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
  }
}

for (const file of await valuesFiles()) {
  const manifests = await render({ files: [file] });

  for (const { service, name } of Object.values(components)) {
    check(
      `${file.split('/').at(-1)}: ${name} gets the environment that its config schema requires`,
      async () => {
        const { containers } = named(manifests, 'Deployment', name)['spec'].template.spec;
        const environment = environmentOf(manifests, containers[0]);
        const known = await variablesOf(service);
        assert.ok(known.size > 10);
        for (const [variable, required] of known) {
          if (required) assert.ok(environment.has(variable), `${variable} is not set`);
        }
        for (const variable of environment.keys()) {
          assert.ok(
            known.has(variable) || runtimeVariable.test(variable),
            `${variable} is not in the schema`,
          );
        }
        const parsed = (await loadConfigSchema(service)).safeParse(Object.fromEntries(environment));
        assert.deepEqual(parsed.error?.issues, undefined);
      },
    );
  }

  check(`${file.split('/').at(-1)}: the migration gets its environment`, async () => {
    const job = workloads(manifests).find(({ component }) => component === 'migrate');
    const environment = environmentOf(manifests, job?.pod['containers'][0]);
    const parsed = (await loadConfigSchema('migrate')).safeParse(Object.fromEntries(environment));
    assert.deepEqual(parsed.error?.issues, undefined);
    const known = await variablesOf('migrate');
    for (const name of environment.keys()) {
      assert.ok(known.has(name) || runtimeVariable.test(name), name);
    }
  });
}

check('behind an ingress, the gateway trusts the client address of one proxy', async () => {
  const proxies = async (values: Values): Promise<string> =>
    named(await render({ values: { ...evaluation, ...values } }), 'ConfigMap', 'gateway')['data']
      .TRUSTED_PROXY_COUNT;
  const ingress = { enabled: true };
  assert.equal(await proxies({}), undefined);
  assert.equal(await proxies({ ingress }), '1');
  assert.equal(await proxies({ httpRoute: { enabled: true, parentRefs: [{ name: 'public' }] } }), '1');
  assert.equal(await proxies({ ingress, gateway: { config: { TRUSTED_PROXY_COUNT: 2 } } }), '2');
});

check('in evaluation mode the gateway waits longer for its stores, unless a timeout is set', async () => {
  const timeouts = async (given: Parameters<typeof render>[0]): Promise<unknown[]> => {
    const { REDIS_TIMEOUT_MS, EDGE_DATABASE_TIMEOUT_MS } = named(
      await render(given),
      'ConfigMap',
      'gateway',
    ).data;
    return [REDIS_TIMEOUT_MS, EDGE_DATABASE_TIMEOUT_MS];
  };
  assert.deepEqual(await timeouts({ values: evaluation }), ['1000', '5000']);
  const gateway = { config: { REDIS_TIMEOUT_MS: 300 } };
  assert.deepEqual(await timeouts({ values: { ...evaluation, gateway } }), ['300', '5000']);
  assert.deepEqual(await timeouts({ values: production }), [undefined, undefined]);
});

check(
  'the gateway knows its public address by an Ingress with TLS and one name, unless it is set',
  async () => {
    const address = async (values: Values): Promise<string> =>
      named(await render({ values: { ...evaluation, ...values } }), 'ConfigMap', 'gateway')['data']
        .PUBLIC_URL;
    const ingress = { enabled: true, hosts: ['api.test'], tls: [{ secretName: 'tls' }] };
    assert.equal(await address({ ingress: { ...ingress, enabled: false } }), undefined);
    assert.equal(await address({ ingress: { ...ingress, tls: [] } }), undefined);
    assert.equal(await address({ ingress: { ...ingress, hosts: ['*.api.test'] } }), undefined);
    assert.equal(await address({ ingress }), 'https://api.test');
    const gateway = { config: { PUBLIC_URL: 'https://other.test' } };
    assert.equal(await address({ ingress, gateway }), 'https://other.test');
  },
);

check('large and small numbers reach the environment with all their digits', async () => {
  const values = {
    ...evaluation,
    webhooksDispatcher: {
      config: { WEBHOOKS_RETRY_AFTER_MAX_MS: 86_400_000, WEBHOOKS_FAILING_AFTER_MS: 1_234_567_890_123 },
    },
    scansWorker: { config: { CHATGPT_PRICE_PER_REQUEST_USD: 0.000_025 } },
  };
  const manifests = await render({ values });
  const { data } = named(manifests, 'ConfigMap', 'webhooks-dispatcher');
  assert.equal(data.WEBHOOKS_RETRY_AFTER_MAX_MS, '86400000');
  assert.equal(data.WEBHOOKS_FAILING_AFTER_MS, '1234567890123');
  const price = named(manifests, 'ConfigMap', 'scans-worker')['data'].CHATGPT_PRICE_PER_REQUEST_USD;
  assert.equal(Number(price), 0.000_025);
});

check('exactly the secrets of the config schemas are kept out of `config`', async () => {
  const forms = /^(?:secret|secrets|keys|Postgres URL|Redis URLs?|NATS URLs)$/;
  for (const { service } of Object.values(components)) {
    const { shape } = await loadConfigSchema(service);
    for (const [name, field] of Object.entries(shape) as [string, z.ZodType][]) {
      const required = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field;
      const { form = '' } = (required.meta() ?? {}) as { form?: string };
      assert.equal(isSecret(name), forms.test(form), name);
    }
  }
});

check('only components that connect to NATS get its credentials file', async () => {
  const values = { ...evaluation, nats: { existingSecret: 's', credsSecret: 'creds' } };
  const manifests = await render({ values });
  for (const { name } of Object.values(components)) {
    const { volumes = [], containers } = named(manifests, 'Deployment', name)['spec'].template.spec;
    const { NATS_CREDS_FILE } = named(manifests, 'ConfigMap', name)['data'];
    const found = [volumes, containers[0].volumeMounts ?? [], NATS_CREDS_FILE ? ['file'] : []];
    const expected = name === 'webhooks-dispatcher' ? 0 : 1;
    assert.deepEqual(
      found.map(({ length }) => length),
      [expected, expected, expected],
      name,
    );
  }
});

check('a component gets its own secrets and no others', async () => {
  const manifests = await render({ values: evaluation });
  const secretsOf = (name: string): string[] =>
    named(manifests, 'Deployment', name)
      ['spec'].template.spec.containers[0].env.filter((entry: Schema) => entry['valueFrom'])
      .map((entry: Schema) => entry['name'])
      .toSorted();
  const base = ['CALLER_SECRETS', 'DATABASE_URL', 'NATS_URL'];
  assert.deepEqual(secretsOf('catalog'), ['CALLER_SECRETS', 'CURSOR_KEYS', 'DATABASE_URL', 'NATS_URL']);
  assert.deepEqual(secretsOf('scans'), base);
  assert.deepEqual(secretsOf('webhooks'), [
    'CALLER_SECRETS',
    'CURSOR_KEYS',
    'DATABASE_URL',
    'NATS_URL',
    'WEBHOOKS_SECRET_KEYS',
  ]);
  const keys = ['AI_OVERVIEWS', 'CHATGPT', 'CLAUDE', 'GEMINI', 'PERPLEXITY', 'SENTIMENT_JUDGE'].map(
    (name) => `${name}_API_KEY`,
  );
  assert.deepEqual(secretsOf('scans-worker'), [...keys, ...base].toSorted());
  for (const { kind, metadata, data } of manifests) {
    if (kind !== 'ConfigMap') continue;
    assert.deepEqual(Object.keys(data).filter(isSecret), [], metadata.name);
  }
});
