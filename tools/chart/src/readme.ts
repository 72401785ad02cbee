import { isMap, readComments, readValues } from './values.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The rows of a value: one if it has a description, otherwise those of its members. */
function rowsOf(path: readonly string[], value: unknown, comments: Map<string, string>): string[] {
  const key = path.join('.');
  const comment = comments.get(key);
  const open = isMap(value) && Object.keys(value).some((part) => comments.has(`${key}.${part}`));
  const own =
    comment === undefined ? [] : [`| \`${key}\` | \`${cell(JSON.stringify(value))}\` | ${cell(comment)} |`];
  if (!isMap(value) || (!open && comment !== undefined)) return own;
  return [
    ...own,
    ...Object.entries(value).flatMap(([part, child]) => rowsOf([...path, part], child, comments)),
  ];
}

const introduction = `# Helm chart

The product on Kubernetes: five services, their workers, migrations, network policies, autoscaling and monitoring.

| Task                                      | Page                                                                       |
| ----------------------------------------- | -------------------------------------------------------------------------- |
| Versions, sizes, ports                    | [Requirements](../../../docs/operations/requirements.md)                   |
| Install, from images to first customer    | [Install with Helm](../../../docs/operations/install-helm.md)              |
| Upgrade and roll back                     | [Upgrade](../../../docs/operations/upgrade.md)                             |
| Alerts and dashboards                     | [Monitoring](../../../docs/operations/monitoring.md)                       |
| Rotate the Secrets                        | [Secrets rotation](../../../docs/operations/secrets-rotation.md)           |
| Remove it                                 | [Uninstall](../../../docs/operations/uninstall.md)                         |

The chart needs Kubernetes 1.30 or later, and the images in a registry that the cluster reaches: \`image.registry\` is empty by default.

\`\`\`sh
# Evaluation: data stores and a platform simulator in the cluster.
helm install bv deploy/helm/brand-visibility --namespace bv --create-namespace \\
  --set evaluation.enabled=true,image.registry=registry.example.com --wait --timeout 10m
helm test bv --namespace bv

# Production: your own data stores and Secrets.
helm install bv deploy/helm/brand-visibility --namespace bv --values production.yaml --wait --timeout 10m
\`\`\`

\`ci/production.yaml\` is a complete set of values for production.

## What it creates

- **Components.** \`gateway\`, \`catalog\`, \`results\`, \`scans\` and \`webhooks\` serve requests, \`scansWorker\` calls the platforms, \`webhooksDispatcher\` sends deliveries. Each accepts every key of \`defaults\`, and the variables of its service (docs/configuration.md) under \`config\`. \`keda\` applies to the last two.
- **Secrets.** Secrets without \`existingSecret\` are generated once and kept over upgrades. A component gets only the variables it needs. Rendering without a cluster (GitOps) cannot read generated Secrets, so set \`existingSecret\` there. Before the first rotation, copy the generated Secret to another name and set it as \`secrets.existingSecret\`.
- **Migrations** run before new pods serve, as a hook before an install or upgrade. In evaluation mode they are a Job, and init containers wait for it. They are safe to run twice and concurrently.
- **Network policies.** Everything is denied except what is needed. Only the gateway is reachable. Only the dispatcher (public addresses) and the scan workers (public addresses, port 443) leave the cluster. A network plugin must enforce them.
- **The operator API** is a separate Service that is unreachable from outside. Use a port-forward, or a pod with the label \`brand-visibility/operator: "true"\`.

## Values

Generated from \`values.yaml\` by \`pnpm generate\`; so is \`values.schema.json\`, which rejects unknown keys.
`;

/** README.md of the chart. */
export function chartReadme(): string {
  const comments = readComments();
  const rows = Object.entries(readValues()).flatMap(([key, value]) => rowsOf([key], value, comments));
  return `${introduction}\n| Key | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}
