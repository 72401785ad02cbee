import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { check } from '../check.ts';
import { prepareSchemas, schemaLocation } from '../kubernetes-schemas.ts';
import { evaluation, helm, ofKind, production, render, renderText, valuesFiles } from '../render.ts';
import { installProgram } from '../tools.ts';
import { chartDir, isMap, readComments, readValues, type Values } from '../values.ts';

const kubeconform = await installProgram('kubeconform');
await prepareSchemas();

function conforms(text: string): void {
  execFileSync(kubeconform, ['-strict', '-schema-location', schemaLocation], {
    input: text,
    stdio: 'pipe',
    encoding: 'utf8',
  });
}

for (const file of await valuesFiles()) {
  check(
    `${file.split('/').at(-1)} passes helm lint and the schemas of Kubernetes and of the operators`,
    async () => {
      await helm('helm', 'lint', '--strict', chartDir, '--values', file);
      conforms(await renderText({ files: [file] }));
    },
  );
}

check('an unknown field is found', async () => {
  const text = await renderText({ values: evaluation });
  for (const [right, wrong] of [
    ['readOnlyRootFilesystem:', 'readonlyRootFilesystem:'],
    ['maxUnavailable:', 'maxUnavailble:'],
    ['targetPort: store', 'targetPort: [store]'],
  ]) {
    assert.ok(text.includes(String(right)));
    assert.throws(() => conforms(text.replace(String(right), String(wrong))));
  }
});

const switches: Values[] = [
  { networkPolicy: { enabled: false } },
  { ingress: { enabled: true, className: 'nginx' } },
  { httpRoute: { enabled: true, parentRefs: [{ name: 'public' }] } },
  { monitoring: { serviceMonitor: { enabled: true }, prometheusRule: { enabled: true } } },
  { monitoring: { dashboards: { enabled: true } } },
  { defaults: { autoscaling: { enabled: true }, podDisruptionBudget: { enabled: false } } },
  { scansWorker: { keda: { enabled: true, prometheusAddress: 'http://p:9090', minReplicaCount: 0 } } },
  { tracing: { endpoint: 'http://collector:4318' } },
  { trustedCa: { secret: 'ca' } },
  { migrations: { strategy: 'job' } },
  { platforms: { existingSecret: 'platforms' } },
  { secrets: { existingSecret: 'keys' } },
  { postgres: { existingSecret: 'db' }, redis: { existingSecret: 'redis', sentinelPort: 26379 } },
  { nats: { existingSecret: 'nats', credsSecret: 'creds' }, evaluation: { persistence: { enabled: false } } },
];
const bases: Values[] = [evaluation, production];

const merged = (a: Values, b: Values): Values => {
  const result = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const old = result[key];
    result[key] = isMap(old) && isMap(value) ? merged(old, value) : value;
  }
  return result;
};

check('every pair of switches conforms to the schemas', async () => {
  const texts: string[] = [];
  for (const base of bases) {
    // Combines each switch with every other: row r turns on the switches whose index has bit r set, or not set.
    for (let row = 0; row < 4; row += 1) {
      for (const wanted of [0, 1]) {
        const on = switches.filter((_, place) => ((place >> row) & 1) === wanted);
        texts.push(await renderText({ values: on.reduce(merged, base) }));
      }
    }
    texts.push(
      await renderText({ values: switches.reduce(merged, base) }),
      await renderText({ values: base }),
    );
  }
  conforms(texts.join('\n---\n'));
});

const refused: [string, Values, RegExp][] = [
  ['a service', { gatway: {} }, /gatway/],
  ['a setting', { gateway: { replica: 3 } }, /replica/],
  ['a variable', { gateway: { config: { LOG_LEVL: 'debug' } } }, /LOG_LEVL/],
  [
    'a variable of another service',
    { catalog: { config: { WEBHOOKS_PER_PROCESS: 1 } } },
    /WEBHOOKS_PER_PROCESS/,
  ],
  ['a secret among the settings', { gateway: { config: { OPERATOR_TOKEN: 'x' } } }, /OPERATOR_TOKEN/],
  ['a variable that the chart sets', { webhooks: { config: { ROLE: 'all' } } }, /ROLE/],
  ['no migration', { migrations: { config: { WAIT_FOR: 'catalog' } } }, /WAIT_FOR/],
  ['an invalid level', { defaults: { config: { LOG_LEVEL: 'verbose' } } }, /LOG_LEVEL/],
  ['a resource', { gateway: { resources: { limits: { memroy: '1Gi' } } } }, /memroy/],
  ['a pull policy', { image: { pullPolicy: 'Sometimes' } }, /pullPolicy/],
  ['a range', { networkPolicy: { dispatcherExcept: ['ten'] } }, /dispatcherExcept/],
  [
    'a range outside the allowed addresses',
    { networkPolicy: { dispatcherExcept: ['fd00::/8'] } },
    /dispatcherExcept/,
  ],
  ['all addresses of a family', { networkPolicy: { workerExcept: ['2000::/3'] } }, /workerExcept/],
  ['a probe', { defaults: { probes: { readinessProbe: { period: 1 } } } }, /period/],
  ['KEDA for a service without a queue', { gateway: { keda: { enabled: true } } }, /keda/],
  ['no dispatcher', { webhooksDispatcher: { keda: { minReplicaCount: 0 } } }, /minReplicaCount/],
  ['no pods of all KEDA components', { defaults: { keda: { minReplicaCount: 0 } } }, /minReplicaCount/],
  ['KEDA for all components', { defaults: { keda: { enabled: true } } }, /keda/],
  ['a nested key', { evaluation: { postgress: {} } }, /postgress/],
  ['text for a number', { service: { port: 'http' } }, /port/],
  ['an unknown variable of a Secret', { redis: { existingSecretKeys: { NATS_URL: 'uri' } } }, /NATS_URL/],
  ['a strategy', { defaults: { strategy: { rollingUpdate: { surge: 1 } } } }, /surge/],
  ['no keys', { evaluation: { enabled: false } }, /secrets\.existingSecret/],
  ['no Redis', { ...production, evaluation: { enabled: false }, redis: {} }, /redis\.existingSecret/],
  ['a route without a Gateway', { httpRoute: { enabled: true } }, /parentRefs/],
];
for (const [what, values, message] of refused) {
  check(`refused: ${what}`, async () => {
    await assert.rejects(render({ values: merged(evaluation, values) }), message);
  });
}

check('every value has a description', () => {
  const comments = readComments();
  const bare: string[] = [];
  const look = (path: string[], value: unknown): void => {
    const key = path.join('.');
    const general = ['defaults', ...path.slice(1)].join('.');
    if (comments.has(key) || comments.has(general)) return;
    if (!isMap(value) || Object.keys(value).length === 0) bare.push(key);
    else for (const [part, child] of Object.entries(value)) look([...path, part], child);
  };
  look([], readValues());
  assert.deepEqual(bare, []);
});

check('the migration completes before any process serves', async () => {
  const manifests = await render({ files: [join(chartDir, 'ci/production.yaml')] });
  const hooks = manifests.filter(({ metadata }) =>
    String(metadata.annotations?.['helm.sh/hook']).includes('pre-upgrade'),
  );
  assert.deepEqual(hooks.map(({ kind }) => String(kind)).toSorted(), ['Job', 'ServiceAccount']);
  // It runs before the objects of the release exist, so it reads only earlier hooks or existing objects.
  const [job] = ofKind(hooks, 'Job');
  const pod = job?.['spec'].template.spec;
  const own = new Set(
    manifests.filter((each) => !hooks.includes(each)).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  );
  assert.ok(!own.has(`ServiceAccount ${pod.serviceAccountName}`));
  for (const { valueFrom } of pod.containers[0].env) {
    if (valueFrom) assert.ok(!own.has(`Secret ${valueFrom.secretKeyRef.name}`));
  }
  for (const { spec } of ofKind(manifests, 'Deployment'))
    assert.equal(spec.template.spec.initContainers, undefined);

  const inCluster = await render({ values: evaluation });
  for (const { spec, metadata } of ofKind(inCluster, 'Deployment')) {
    if (metadata.name.endsWith('-simulator')) continue;
    const [wait] = spec.template.spec.initContainers;
    assert.match(wait.image, /brand-visibility\/migrate:/);
    assert.deepEqual(
      wait.env.filter((entry: Values) => entry['valueFrom']).map((entry: Values) => entry['name']),
      ['DATABASE_URL'],
    );
  }
  assert.equal(ofKind(inCluster, 'Job')[0]?.['metadata'].annotations, undefined);
});

check(
  'the alert rules are those of the file, with the namespace and the address of the runbooks: by default the page of the operator listener',
  async () => {
    const file = join(chartDir, 'ci/production.yaml');
    for (const runbookBaseUrl of ['', 'https://runbooks.example.com/x']) {
      const values = { monitoring: { prometheusRule: { runbookBaseUrl } } };
      const objects = await render({ files: [file], values });
      const service = ofKind(objects, 'Service').find(({ metadata }) => metadata.name.endsWith('-operator'));
      const served = `http://${service?.['metadata'].name}.prod:8090/docs/operations/runbooks`;
      const written = parse(
        readFileSync(join(chartDir, 'files/alerts.yaml'), 'utf8')
          .replaceAll('NAMESPACE', 'prod')
          .replaceAll('RUNBOOKS', runbookBaseUrl === '' ? served : runbookBaseUrl),
      );
      assert.deepEqual(ofKind(objects, 'PrometheusRule')[0]?.['spec'], written);
    }
  },
);
