import { strict as assert } from 'node:assert';
import { BlockList } from 'node:net';
import { check } from '../check.ts';
import type { Schema } from '../free-forms.ts';
import { containersOf, evaluation, ofKind, production, render, workloads, type Manifest } from '../render.ts';

const matches = (selector: Schema, labels: Record<string, unknown>): boolean =>
  Object.entries(selector['matchLabels'] ?? {}).every(([key, value]) => labels[key] === value);

type Peer = { component: string; labels: Record<string, unknown>; ports: Map<string, number> };

function cluster(manifests: readonly Manifest[]) {
  const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec);
  const peers: Peer[] = workloads(manifests).map((workload) => ({
    component: workload.component,
    labels: workload.labels,
    ports: new Map(
      containersOf(workload)
        .flatMap(({ ports = [] }) => ports)
        .map((port: Schema) => [port['name'], port['containerPort']]),
    ),
  }));
  const peer = (component: string): Peer => {
    const found = peers.find((each) => each.component === component);
    if (!found) throw new Error(`no pod of ${component}`);
    return found;
  };
  const rules = (of: Peer, direction: 'ingress' | 'egress'): Schema[] =>
    policies
      .filter((policy) => matches(policy.podSelector, of.labels))
      .flatMap((policy) => policy[direction] ?? []);
  const portFits = (rule: Schema, to: Peer | undefined, port: number): boolean =>
    rule['ports'] === undefined ||
    rule['ports'].some(({ port: first, endPort }: Schema) => {
      const number = typeof first === 'string' ? to?.ports.get(first) : first;
      return port >= number && port <= (endPort ?? number);
    });
  const podFits = (list: Schema[] | undefined, other: Peer): boolean =>
    list === undefined ||
    list.some(
      ({ podSelector, namespaceSelector }) =>
        podSelector && !namespaceSelector && matches(podSelector, other.labels),
    );
  return {
    components: peers.map(({ component }) => component),
    /** Whether a pod of the release can connect to another. */
    reaches: (from: string, to: string, port: number): boolean =>
      rules(peer(from), 'egress').some(
        (rule) => podFits(rule['to'], peer(to)) && portFits(rule, peer(to), port),
      ) &&
      rules(peer(to), 'ingress').some(
        (rule) => podFits(rule['from'], peer(from)) && portFits(rule, peer(to), port),
      ),
    /** Whether any peer can connect to a pod of the release. */
    open: (to: string, port: number): boolean =>
      rules(peer(to), 'ingress').some((rule) => rule['from'] === undefined && portFits(rule, peer(to), port)),
    /** Whether a pod of the release can connect to an address. */
    leaves: (from: string, address: string, port: number): boolean =>
      rules(peer(from), 'egress').some((rule) => {
        if (!portFits(rule, undefined, port)) return false;
        if (rule['to'] === undefined) return true;
        return rule['to'].some(({ ipBlock }: Schema) => ipBlock && contains(ipBlock, address));
      }),
    selected: (component: string, direction: string): boolean =>
      policies.some(
        (policy) =>
          matches(policy.podSelector, peer(component).labels) && policy.policyTypes.includes(direction),
      ),
  };
}

function contains({ cidr, except = [] }: Schema, address: string): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const within = (range: string): boolean => {
    if (range.includes(':') !== (family === 'ipv6')) return false;
    const list = new BlockList();
    const [network, prefix] = range.split('/');
    list.addSubnet(String(network), Number(prefix), family);
    return list.check(address, family);
  };
  return within(cidr) && !except.some(within);
}

const inside = cluster(await render({ values: evaluation }));
const services: Record<string, number> = { catalog: 8081, results: 8082, scans: 8083, webhooks: 8084 };
const stores: Record<string, number> = { postgres: 5432, redis: 6379, nats: 4222 };
const public4 = '93.184.215.14';
const public6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
const privates = [
  '10.0.0.1',
  '172.20.1.1',
  '192.168.1.1',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '224.0.0.1',
  'fd00::1',
  'fe80::1',
  '::1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::1',
];

check('every connection without a policy is denied', () => {
  for (const component of inside.components) {
    for (const direction of ['Ingress', 'Egress'])
      assert.ok(inside.selected(component, direction), component);
  }
});

check('only the public port of the gateway is reachable from outside', () => {
  for (const component of inside.components) {
    for (const port of [
      80, 443, 5432, 6379, 4222, 8222, 8080, 8081, 8082, 8083, 8084, 8090, 9080, 9081, 9082, 9083, 9084,
    ]) {
      assert.equal(
        inside.open(component, port),
        component === 'gateway' && port === 8080,
        `${component}:${port}`,
      );
    }
  }
});

check('only the gateway reaches services, and only their clients reach stores', () => {
  for (const from of inside.components) {
    for (const [to, port] of Object.entries(services)) {
      assert.equal(inside.reaches(from, to, port), from === 'gateway', `${from} -> ${to}`);
    }
    const program = !['postgres', 'redis', 'nats', 'simulator', 'test'].includes(from);
    assert.equal(inside.reaches(from, 'postgres', 5432), program, `${from} -> postgres`);
    assert.equal(
      inside.reaches(from, 'nats', 4222),
      program && !['migrate', 'webhooks-dispatcher'].includes(from),
      `${from} -> nats`,
    );
    assert.equal(inside.reaches(from, 'redis', 6379), from === 'gateway', `${from} -> redis`);
    assert.equal(inside.reaches(from, 'simulator', 8090), from === 'scans-worker', `${from} -> simulator`);
    assert.equal(inside.reaches(from, 'gateway', 8090), from === 'test', `${from} -> operator API`);
  }
});

check('only the dispatcher and the scan workers reach public addresses, and no private ones', () => {
  for (const from of inside.components) {
    assert.equal(
      inside.leaves(from, public4, 443),
      ['webhooks-dispatcher', 'scans-worker'].includes(from),
      from,
    );
    assert.equal(inside.leaves(from, public6, 8443), from === 'webhooks-dispatcher', from);
    for (const address of privates) {
      for (const port of [443, 6443, 8080, ...Object.values(stores)]) {
        assert.equal(inside.leaves(from, address, port), false, `${from} -> ${address}:${port}`);
      }
    }
  }
});

check(
  'with external stores, pods reach only their ports, and only their ranges when these are set',
  async () => {
    const networkPolicyTo = [{ ipBlock: { cidr: '10.20.0.0/24' } }];
    const values = { ...production, postgres: { existingSecret: 's', networkPolicyTo } };
    const outside = cluster(await render({ values }));
    assert.ok(outside.leaves('catalog', '10.20.0.7', 5432));
    assert.ok(!outside.leaves('catalog', '10.21.0.7', 5432));
    assert.ok(outside.leaves('catalog', '10.21.0.7', 4222));
    assert.ok(!outside.leaves('catalog', '10.21.0.7', 6379));
    assert.ok(outside.leaves('gateway', '10.21.0.7', 6379));
    assert.ok(!outside.leaves('webhooks-dispatcher', '10.21.0.7', 4222));
  },
);
