import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { check } from '../check.ts';
import type { Schema } from '../free-forms.ts';
import { evaluation, named, ofKind, production, render, valuesFiles, workloads } from '../render.ts';
import { chartDir } from '../values.ts';

const manifests = await render({ files: [join(chartDir, 'ci/cluster-options.yaml')] });
const pods = workloads(manifests);

check('Helm 3 and Helm 4 render the same, and so does every rendering outside evaluation mode', async () => {
  for (const file of await valuesFiles()) {
    const [first, second] = [
      await render({ files: [file] }),
      await render({ files: [file], program: 'helm3' }),
    ];
    // Evaluation mode generates secrets, which only a cluster keeps.
    for (const { kind, data, spec } of [
      ...ofKind(first, 'Secret', 'Deployment'),
      ...ofKind(second, 'Secret', 'Deployment'),
    ]) {
      if (kind === 'Secret') for (const key of Object.keys(data)) data[key] = '';
      else delete spec.template.metadata.annotations?.['checksum/secrets'];
    }
    assert.deepEqual(first, second, file);
  }
});

check('all pods leave their users to OpenShift, and have the fields of the cluster', () => {
  for (const { pod, name } of pods) {
    const { runAsUser, runAsGroup, fsGroup, fsGroupChangePolicy } = pod['securityContext'];
    assert.deepEqual([runAsUser, runAsGroup, fsGroup], [undefined, undefined, undefined], name);
    assert.equal(fsGroupChangePolicy, 'OnRootMismatch');
    assert.deepEqual(
      [pod['serviceAccountName'], pod['runtimeClassName'], pod['dnsPolicy']],
      ['shared', 'sandboxed', 'None'],
    );
    assert.equal(pod['hostAliases'][0].ip, '10.20.0.5');
    assert.deepEqual(pod['dnsConfig'].nameservers, ['10.20.0.53']);
  }
  assert.deepEqual(ofKind(manifests, 'ServiceAccount'), []);
});

check('Deployments have their sidecars and their strategy, and all objects their annotations', () => {
  const names = (containers: Schema[]): string[] => containers.map((container) => container['name']);
  for (const { spec, metadata } of ofKind(manifests, 'Deployment')) {
    const { containers, initContainers } = spec.template.spec;
    assert.deepEqual([...names(initContainers), ...names(containers).slice(1)], ['fetch', 'proxy']);
    const strategy = metadata.name.endsWith('-scans')
      ? { type: 'Recreate' }
      : { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: 0 } };
    assert.deepEqual(spec.strategy, strategy, metadata.name);
  }
  const [job] = ofKind(manifests, 'Job');
  assert.deepEqual(names(job?.['spec'].template.spec.initContainers), ['fetch']);
  for (const { metadata } of manifests)
    assert.equal(metadata.annotations['example.com/owner'], 'data', metadata.name);
  assert.equal(job?.['metadata'].annotations['helm.sh/hook'], 'pre-install,pre-upgrade');
});

check(
  'every Service has both families, its process listens on both, and only the gateway has a load balancer',
  () => {
    const balanced = ofKind(manifests, 'Service').filter(({ spec }) => {
      assert.deepEqual([spec.ipFamilies, spec.ipFamilyPolicy], [['IPv6', 'IPv4'], 'PreferDualStack']);
      return spec.type === 'LoadBalancer';
    });
    assert.equal(balanced.length, 1);
    const { metadata, spec } = named(manifests, 'Service', 'gateway');
    assert.equal(metadata.labels.exposed, 'true');
    assert.equal(metadata.annotations['example.com/scheme'], 'internal');
    assert.deepEqual(
      [spec.loadBalancerClass, spec.loadBalancerSourceRanges, spec.externalTrafficPolicy],
      ['example.com/internal', ['10.0.0.0/8'], 'Local'],
    );
    const { data } = named(manifests, 'ConfigMap', 'gateway');
    assert.deepEqual([data.SERVICE_HOST, data.OPERATOR_HOST], ['::', '::']);
  },
);

check('processes listen on both families by the policy alone, and on IPv4 without a policy', async () => {
  const address = async (ipFamilyPolicy: string): Promise<string> =>
    named(await render({ values: { ...production, ipFamilyPolicy } }), 'ConfigMap', 'gateway')['data']
      .SERVICE_HOST;
  assert.equal(await address('RequireDualStack'), '::');
  assert.equal(await address('SingleStack'), '0.0.0.0');
});

check('variables are read from the configured keys of existing Secrets', () => {
  const reference = (component: string, variable: string): unknown => {
    const { pod } = pods.find((each) => each.component === component) ?? {};
    const entry = pod?.['containers'][0].env.find(({ name }: Schema) => name === variable);
    return [entry.valueFrom.secretKeyRef.name, entry.valueFrom.secretKeyRef.key];
  };
  assert.deepEqual(reference('catalog', 'DATABASE_URL'), ['postgres', 'catalog-uri']);
  assert.deepEqual(reference('results', 'DATABASE_URL'), ['postgres', 'RESULTS_DATABASE_URL']);
  assert.deepEqual(reference('migrate', 'CATALOG_DATABASE_URL'), ['postgres', 'catalog-uri']);
  assert.deepEqual(reference('migrate', 'ADMIN_DATABASE_URL'), ['postgres-admin', 'admin-uri']);
  assert.deepEqual(reference('gateway', 'REDIS_URL'), ['redis', 'uri']);
  for (const component of ['gateway', 'test'])
    assert.deepEqual(reference(component, 'OPERATOR_TOKEN'), ['keys', 'operator']);
});

check(
  'data stores of evaluation mode follow the placement and the account of the other pods, with users of their own',
  async () => {
    const nodeSelector = { pool: 'trial' };
    const tolerations = [{ key: 'trial', operator: 'Exists' }];
    const serviceAccount = { create: false, name: 'shared' };
    const values = { ...evaluation, serviceAccount, defaults: { nodeSelector, tolerations } };
    const users = new Set<number>();
    for (const { pod, name } of workloads(await render({ values }))) {
      assert.deepEqual([pod['nodeSelector'], pod['tolerations']], [nodeSelector, tolerations], name);
      assert.equal(pod['serviceAccountName'], 'shared', name);
      users.add(pod['securityContext'].fsGroup);
    }
    assert.deepEqual(users, new Set([65_532, 999, 1_000]));
  },
);
