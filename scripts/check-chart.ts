/**
 * Checks the Helm chart without a cluster: helm lint, the schemas of Kubernetes and of the operators,
 * docs/configuration.md, and the expected pods, policies, values and alerts.
 *   pnpm check:chart
 * helm and kubeconform are built from the Go module proxy once, into .tools/chart; promtool is Debian's.
 */
import { installProgram } from './chart/tools.ts';
import { prepareSchemas } from './chart/kubernetes-schemas.ts';

await installProgram('helm');
await installProgram('kubeconform');
await prepareSchemas();
await import('./chart/checks/values.ts');
await import('./chart/checks/pods.ts');
await import('./chart/checks/network.ts');
await import('./chart/checks/objects.ts');
await import('./chart/checks/configuration.ts');
await import('./chart/checks/alerts.ts');
