import { isMap, readComments, readValues } from './values.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The rows of a value: its own when it is described, those of its parts otherwise. */
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

Generated from \`values.yaml\` by \`pnpm generate\`; \`values.schema.json\` as well, which refuses every key it does not know.

\`\`\`sh
# To try it out: data stores and a simulator of the platforms in the cluster.
helm install bv deploy/helm/brand-visibility --namespace bv --create-namespace --set evaluation.enabled=true --wait --timeout 10m
helm test bv --namespace bv

# For real: data stores of your own, in Secrets of your own.
kubectl --namespace bv create secret generic bv-postgres --from-literal=GATEWAY_DATABASE_URL='postgres://bv_gateway:…@host:5432/brand_visibility?sslmode=verify-full' …
helm install bv deploy/helm/brand-visibility --namespace bv --values production.yaml
\`\`\`

\`ci/production.yaml\` is a whole set of values for production. Kubernetes 1.30 or later.

- **Components.** \`gateway\`, \`catalog\`, \`results\`, \`scans\` and \`webhooks\` answer requests; \`scansWorker\` asks the platforms; \`webhooksDispatcher\` sends deliveries. Each takes every key of \`defaults\`, and the variables of its service (docs/configuration.md) under \`config\`. \`keda\` is for the last two.
- **Secrets.** What no \`existingSecret\` gives is generated once and kept over upgrades. A component gets the variables it needs and no others. Rendering without a cluster (GitOps) cannot see what was generated before: give \`existingSecret\` there. Before the first rotation make the keys your own: copy the generated Secret to one of another name and give it as \`secrets.existingSecret\`. An edited generated Secret survives upgrades, but \`helm rollback\` would put its old content back, so Helm 4 refuses with a conflict.
- **Migrations** run before new pods serve: as a hook before an install or upgrade, or in evaluation mode as a Job that the pods' init containers wait for in the database. Running twice, or at once, does nothing more.
- **Network.** Everything is denied but what is needed. Only the gateway is reachable; only the dispatcher (public addresses) and the scan workers (public addresses, port 443) leave the cluster. A network plugin has to enforce it.
- **The operator's plane** is a Service of its own that nothing leads to from outside: use a port-forward, or a pod with the label \`brand-visibility/operator: "true"\`.

## Values
`;

/** README.md of the chart. */
export function chartReadme(): string {
  const comments = readComments();
  const rows = Object.entries(readValues()).flatMap(([key, value]) => rowsOf([key], value, comments));
  return `${introduction}\n| Key | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}
