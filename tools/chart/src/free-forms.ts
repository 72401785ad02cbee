import { secretsOf } from './components.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a schema of JSON schemas adds nothing here
export type Schema = Record<string, any>;

const strings: Schema = { type: 'array', items: { type: 'string' } };
const objects: Schema = { type: 'array', items: { type: 'object' } };
const stringMap: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const object: Schema = { type: 'object' };
const ports: Schema = { type: 'array', items: { type: 'integer', minimum: 1, maximum: 65_535 } };
const strict = (properties: Schema): Schema => ({ type: 'object', additionalProperties: false, properties });
const oneOf = (...values: string[]): Schema => ({ enum: values });

const peers: Schema = {
  type: 'array',
  items: strict({ podSelector: object, namespaceSelector: object, ipBlock: object }),
};
/** Proper subranges of 0.0.0.0/0 or 2000::/3: Kubernetes rejects any other `except` of these two. */
const cidrs: Schema = {
  type: 'array',
  items: {
    type: 'string',
    anyOf: [
      { pattern: '^[0-9]{1,3}([.][0-9]{1,3}){3}/([1-9]|[12][0-9]|3[0-2])$' },
      { pattern: '^[23][0-9a-fA-F]{3}:[0-9a-fA-F:]*/([4-9]|[1-9][0-9]|1[01][0-9]|12[0-8])$' },
    ],
  },
};
const quantities: Schema = {
  type: 'object',
  propertyNames: { pattern: '^(cpu|memory|ephemeral-storage|hugepages-.+|.+/.+)$' },
  additionalProperties: { type: ['string', 'number'] },
};
const resources = strict({ requests: quantities, limits: quantities, claims: objects });
const seconds = { type: 'integer', minimum: 0 };
const probe = strict({
  initialDelaySeconds: seconds,
  periodSeconds: { type: 'integer', minimum: 1 },
  timeoutSeconds: { type: 'integer', minimum: 1 },
  failureThreshold: { type: 'integer', minimum: 1 },
});
const variables: Schema = {
  type: 'array',
  items: {
    ...strict({ name: { type: 'string' }, value: { type: 'string' }, valueFrom: object }),
    required: ['name'],
  },
};
const pods: Schema = { type: ['integer', 'string'] };
const strategy = strict({
  type: oneOf('RollingUpdate', 'Recreate'),
  rollingUpdate: strict({ maxSurge: pods, maxUnavailable: pods }),
});
const optional = (minimum: number): Schema => ({ type: ['integer', 'null'], minimum });

/** Schemas by the last part of a path. Kubernetes validates the rest itself. */
const byKey: Record<string, Schema> = {
  commonLabels: stringMap,
  commonAnnotations: stringMap,
  annotations: stringMap,
  labels: stringMap,
  podAnnotations: stringMap,
  podLabels: stringMap,
  nodeSelector: stringMap,
  affinity: object,
  behavior: object,
  timeouts: object,
  podSecurityContext: object,
  securityContext: object,
  dnsConfig: object,
  tolerations: objects,
  hostAliases: objects,
  extraContainers: objects,
  extraInitContainers: objects,
  topologySpreadConstraints: objects,
  extraEnvFrom: objects,
  extraVolumes: objects,
  extraVolumeMounts: objects,
  extraEgress: objects,
  workerEgress: objects,
  parentRefs: objects,
  filters: objects,
  tls: objects,
  extraEnv: variables,
  pullSecrets: strings,
  hosts: strings,
  hostnames: strings,
  loadBalancerSourceRanges: strings,
  command: strings,
  args: strings,
  resources,
  networkPolicyTo: peers,
  gatewayFrom: peers,
  operatorFrom: peers,
  monitoringFrom: peers,
  dnsTo: peers,
  dispatcherExcept: cidrs,
  workerExcept: cidrs,
  dispatcherPorts: ports,
  workerPorts: ports,
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  replicas: optional(0),
  terminationGracePeriodSeconds: optional(1),
  targetCPUUtilizationPercentage: optional(1),
  targetMemoryUtilizationPercentage: optional(1),
  maxUnavailable: pods,
  sampleRatio: { type: 'number', minimum: 0, maximum: 1 },
  preStopSeconds: { type: 'integer', minimum: 1 },
  strategy: oneOf('', 'hook', 'job'),
  ipFamilies: { type: 'array', items: oneOf('IPv4', 'IPv6') },
  ipFamilyPolicy: oneOf('', 'SingleStack', 'PreferDualStack', 'RequireDualStack'),
  externalTrafficPolicy: oneOf('', 'Cluster', 'Local'),
  dnsPolicy: oneOf('', 'ClusterFirst', 'Default', 'None'),
  pathType: oneOf('Prefix', 'Exact', 'ImplementationSpecific'),
  config: object,
  extraObjects: { type: 'array', items: { type: ['object', 'string'] } },
};

const byPath: Record<string, Schema> = {
  'defaults.strategy': strategy,
  'image.pullPolicy': oneOf('Always', 'IfNotPresent', 'Never'),
  'service.type': oneOf('ClusterIP', 'NodePort', 'LoadBalancer'),
  'postgres.port': { type: 'integer', minimum: 1, maximum: 65_535 },
  ...Object.fromEntries(
    Object.entries(secretsOf).map(([group, names]) => [
      `${group}.existingSecretKeys`,
      { ...stringMap, propertyNames: { enum: names } },
    ]),
  ),
};

export function freeForms(path: readonly string[]): Schema | undefined {
  const whole = byPath[path.join('.')];
  if (whole) return whole;
  const key = path.at(-1) ?? '';
  if (key === 'pullPolicy') return oneOf('', 'Always', 'IfNotPresent', 'Never');
  return byKey[key];
}
