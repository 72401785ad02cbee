import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { check } from '../check.ts';
import { components } from '../components.ts';
import { evaluation, named, ofKind, production as least, render, type Manifest } from '../render.ts';
import { chartDir, type Values } from '../values.ts';

const names = Object.values(components).map(({ name }) => name);
const production = await render({ files: [join(chartDir, 'ci/production.yaml')] });
const deployment = (manifests: Manifest[], name: string) => named(manifests, 'Deployment', name)['spec'];
/** The component of an object: the end of its name. */
const componentOf = ({ metadata }: Manifest): string =>
  metadata.labels['app.kubernetes.io/component'] as string;
const sorted = (list: readonly string[]): string[] => list.toSorted();

check(
  'Ingress and Gateway API route forward the configured hosts to the public port of the gateway',
  async () => {
    const values = {
      ...evaluation,
      ingress: { enabled: true, className: 'nginx', hosts: ['a.example.com', 'b.example.com'] },
      httpRoute: { enabled: true, parentRefs: [{ name: 'public' }], hostnames: ['a.example.com'] },
    };
    const manifests = await render({ values });
    const service = named(manifests, 'Service', 'gateway');
    const [port] = service['spec'].ports;
    const [ingress] = ofKind(manifests, 'Ingress');
    assert.equal(ingress?.['spec'].ingressClassName, 'nginx');
    assert.deepEqual(
      ingress?.['spec'].rules.map(({ host }: Manifest) => host),
      values.ingress.hosts,
    );
    for (const { http } of ingress?.['spec'].rules ?? []) {
      const [{ path, backend }] = http.paths;
      assert.deepEqual([path, backend.service.name], ['/', service['metadata'].name]);
      assert.equal(backend.service.port.name, port.name);
    }
    const [route] = ofKind(manifests, 'HTTPRoute');
    assert.deepEqual(route?.['spec'].hostnames, values.httpRoute.hostnames);
    assert.deepEqual(route?.['spec'].parentRefs, values.httpRoute.parentRefs);
    const [{ backendRefs }] = route?.['spec'].rules ?? [];
    assert.deepEqual(backendRefs, [{ name: service['metadata'].name, port: port.port }]);
  },
);

check('a component has one scaler: its number of pods, CPU, or the age of its queue', () => {
  const scalers = ofKind(production, 'HorizontalPodAutoscaler');
  const queues = ofKind(production, 'ScaledObject');
  assert.deepEqual(sorted(queues.map(componentOf)), ['scans-worker', 'webhooks-dispatcher']);
  assert.deepEqual(sorted([...scalers, ...queues].map(componentOf)), sorted(names));
  for (const { spec } of [...scalers, ...queues]) {
    const target = ofKind(production, 'Deployment').find(
      ({ metadata }) => metadata.name === spec.scaleTargetRef.name,
    );
    assert.ok(target, spec.scaleTargetRef.name);
    assert.equal(target['spec'].replicas, undefined);
  }
  const gateway = named(production, 'HorizontalPodAutoscaler', 'gateway')['spec'];
  assert.deepEqual([gateway.minReplicas, gateway.maxReplicas], [3, 20]);
  assert.equal(gateway.metrics[0].resource.target.averageUtilization, 70);
  const [{ metadata: trigger }] = named(production, 'ScaledObject', 'webhooks-dispatcher')['spec'].triggers;
  assert.deepEqual(
    [trigger.query, trigger.threshold],
    ['max(bv_webhooks_lease_lag_seconds{namespace="prod"})', '5'],
  );
});

check('by default each component has two spread pods and a disruption budget of one', async () => {
  const manifests = await render({ values: least });
  const budgets = ofKind(manifests, 'PodDisruptionBudget');
  assert.deepEqual(sorted(budgets.map(componentOf)), sorted(names));
  for (const name of names) {
    const { replicas, selector, strategy, template } = deployment(manifests, name);
    assert.equal(replicas, 2);
    assert.deepEqual(strategy.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 });
    const budget = named(manifests, 'PodDisruptionBudget', name)['spec'];
    assert.deepEqual(
      [budget.selector, budget.maxUnavailable, budget.unhealthyPodEvictionPolicy],
      [selector, 1, 'AlwaysAllow'],
    );
    const spread = template.spec.topologySpreadConstraints as Manifest[];
    assert.deepEqual(
      spread.map(({ topologyKey }) => topologyKey),
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
    );
    for (const { labelSelector } of spread) assert.deepEqual(labelSelector, selector);
  }
  for (const name of names) {
    const { template } = deployment(production, name);
    assert.equal(template.spec.priorityClassName, 'business-critical');
  }
});

check('Prometheus finds the monitoring port of every component by the labels of its Service', () => {
  const [monitor] = ofKind(production, 'ServiceMonitor');
  const wanted = Object.entries(monitor?.['spec'].selector.matchLabels as Values);
  const found = ofKind(production, 'Service').filter(({ metadata }) =>
    wanted.every(([label, value]) => metadata.labels[label] === value),
  );
  assert.deepEqual(sorted(found.map(componentOf)), sorted(names));
  const [{ port, honorLabels }] = monitor?.['spec'].endpoints ?? [];
  assert.ok(honorLabels);
  for (const { spec } of found) assert.equal(spec.ports[0].name, port);
  assert.equal(monitor?.['metadata'].labels.release, 'prometheus');
});

check('configured certificate authorities are mounted into every process that uses TLS', () => {
  const pods = [...ofKind(production, 'Deployment'), ...ofKind(production, 'Job')];
  assert.equal(pods.length, names.length + 1);
  for (const { spec, metadata } of pods) {
    const { containers, volumes } = spec.template.spec;
    const [{ env, volumeMounts }] = containers;
    const file = (env as Manifest[]).find((entry) => entry['name'] === 'NODE_EXTRA_CA_CERTS')?.['value'];
    const mount = (volumeMounts as Manifest[]).find(({ mountPath }) => file.startsWith(`${mountPath}/`));
    const volume = (volumes as Manifest[]).find((each) => each['name'] === mount?.['name']);
    assert.equal(volume?.['configMap'].name, 'internal-authorities', metadata.name);
  }
});
