import { check } from '../check.ts';
import { strict as assert } from 'node:assert';
import {
  containersOf,
  evaluation,
  named,
  ofKind,
  render,
  renderText,
  valuesFiles,
  workloads,
} from '../render.ts';

for (const file of await valuesFiles()) {
  const manifests = await render({ files: [file] });
  const name = file.split('/').at(-1);

  check(`${name}: every pod is restricted and has no service account token`, () => {
    for (const workload of workloads(manifests)) {
      const { pod } = workload;
      assert.equal(pod['automountServiceAccountToken'], false, workload.name);
      assert.equal(pod['enableServiceLinks'], false, workload.name);
      assert.equal(pod['securityContext'].runAsNonRoot, true);
      assert.equal(pod['securityContext'].runAsUser > 0, name !== 'cluster-options.yaml');
      assert.deepEqual(pod['securityContext'].seccompProfile, { type: 'RuntimeDefault' });
      for (const key of ['hostNetwork', 'hostPID', 'hostIPC']) assert.equal(pod[key], undefined);
      for (const { securityContext, resources, image, ports = [] } of containersOf(workload)) {
        const context = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true };
        assert.deepEqual(securityContext, { ...context, capabilities: { drop: ['ALL'] } });
        assert.ok(resources.limits.memory && resources.requests.memory, workload.name);
        assert.match(image, /.+(:[^:/]+|@sha256:[0-9a-f]{64})$/);
        assert.doesNotMatch(image, /:latest$/);
        for (const port of ports) assert.equal(port.hostPort, undefined);
      }
    }
    for (const account of ofKind(manifests, 'ServiceAccount')) {
      assert.equal(account['automountServiceAccountToken'], false);
    }
    // No pod calls the API server.
    assert.deepEqual(ofKind(manifests, 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'), []);
  });

  check(`${name}: processes have probes and enough time to stop`, () => {
    for (const { spec, metadata } of ofKind(manifests, 'Deployment')) {
      const { containers, terminationGracePeriodSeconds: grace } = spec.template.spec;
      const [{ startupProbe, livenessProbe, readinessProbe, lifecycle, envFrom }] = containers;
      if (metadata.name.endsWith('-simulator')) continue;
      assert.equal(startupProbe.httpGet.path, '/startupz');
      assert.equal(livenessProbe.httpGet.path, '/livez');
      assert.equal(readinessProbe.httpGet.path, '/readyz');
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        assert.equal(probe.httpGet.port, 'monitoring');
      }
      const map = ofKind(manifests, 'ConfigMap').find(
        (each) => each['metadata'].name === envFrom[0].configMapRef.name,
      );
      const drainSeconds = Number(map?.['data'].DRAIN_MS ?? 3_000) / 1_000;
      assert.ok(grace >= lifecycle.preStop.sleep.seconds + drainSeconds + 10, metadata.name);
    }
  });

  check(`${name}: every Service selects one workload and its existing ports`, () => {
    const pods = workloads(manifests);
    for (const { spec, metadata } of ofKind(manifests, 'Service')) {
      const selected = pods.filter(({ labels }) =>
        Object.entries(spec.selector).every(([key, value]) => labels[key] === value),
      );
      assert.equal(selected.length, 1, metadata.name);
      const ports = selected.flatMap(containersOf).flatMap(({ ports: list = [] }) => list);
      for (const { targetPort } of spec.ports) {
        assert.ok(
          ports.some((port: { name: string }) => port.name === targetPort),
          metadata.name,
        );
      }
    }
  });
}

check('small.yaml needs at most 60 connections of Postgres, also during an upgrade', async () => {
  const manifests = await render({
    files: (await valuesFiles()).filter((file) => file.endsWith('/small.yaml')),
  });
  const connections = ofKind(manifests, 'Deployment').map(({ metadata, spec }) => {
    const { configMapRef } = spec.template.spec.containers[0].envFrom[0];
    const map = ofKind(manifests, 'ConfigMap').find((each) => each['metadata'].name === configMapRef.name);
    const pool = Number(map?.['data'].DATABASE_POOL_SIZE);
    assert.equal(spec.replicas, 1);
    const pods = spec.replicas + spec.strategy.rollingUpdate.maxSurge;
    // A gateway has two pools.
    return pods * pool * (metadata.name.endsWith('-gateway') ? 2 : 1);
  });
  assert.equal(connections.length, 7);
  assert.equal(
    connections.reduce((sum, each) => sum + each),
    56,
  );
});

check('secrets are in the Secret only', async () => {
  const text = await renderText({ values: evaluation });
  const secret = named(await render({ values: evaluation }), 'Secret', 'secrets');
  assert.ok(Object.keys(secret['data']).length > 20);
  // Every rendering generates new secrets, so the other objects are searched for the secrets of the same rendering.
  const [own, ...others] = text.split(/^---$/m).toSorted((a) => (/^kind: Secret$/m.test(a) ? -1 : 1));
  const values = [...String(own).matchAll(/^ {2}[\w.-]+: (\S+)$/gm)]
    .map(([, value]) => Buffer.from(String(value), 'base64').toString().trim())
    .filter((value) => value.length > 12);
  assert.ok(values.length > 15);
  for (const part of others) for (const value of values) assert.ok(!part.includes(value), part.slice(0, 200));
});

check('the heap follows the memory limit', async () => {
  const values = {
    ...evaluation,
    gateway: { resources: { limits: { memory: '2Gi' } }, nodeOptions: '--max-semi-space-size=4' },
  };
  const { spec } = named(await render({ values }), 'Deployment', 'gateway');
  const options = spec.template.spec.containers[0].env.find(
    (entry: { name: string }) => entry.name === 'NODE_OPTIONS',
  );
  assert.equal(options.value, '--max-old-space-size=1536 --max-semi-space-size=4');
});

check('a changed setting restarts only the pods of its component', async () => {
  const checksums = async (values: object) => {
    const manifests = await render({
      files: (await valuesFiles()).filter((file) => file.includes('production')),
      values: { ...values },
    });
    return Object.fromEntries(
      ofKind(manifests, 'Deployment').map(({ metadata, spec }) => [
        metadata.name,
        spec.template.metadata.annotations['checksum/config'],
      ]),
    );
  };
  const before = await checksums({});
  const after = await checksums({ catalog: { config: { LOG_LEVEL: 'debug' } } });
  const changed = Object.keys(before).filter((name) => before[name] !== after[name]);
  assert.deepEqual(changed, ['bv-brand-visibility-catalog']);
});

check('names fit with every release name', async () => {
  for (const release of ['a'.repeat(53), 'brand-visibility-of-a-very-long-name-of-a-customer']) {
    for (const { metadata } of await render({ values: evaluation, release })) {
      assert.ok(metadata.name.length <= 63, metadata.name);
    }
  }
});
