/**
 * Checks the Helm chart without a cluster: helm lint, the schemas of Kubernetes and of the operators,
 * docs/configuration.md, the expected pods, policies, values and alerts, and the commands of the page of the installation.
 *   pnpm check:chart
 * helm (3 and 4) and kubeconform are built from the Go module proxy once, into .tools/chart; promtool is Debian's.
 */
import { installProgram } from './tools.ts';
import { prepareSchemas } from './kubernetes-schemas.ts';

await installProgram('helm');
await installProgram('helm3');
await installProgram('kubeconform');
await prepareSchemas();
await import('./checks/values.ts');
await import('./checks/pods.ts');
await import('./checks/network.ts');
await import('./checks/objects.ts');
await import('./checks/cluster-options.ts');
await import('./checks/configuration.ts');
await import('./checks/alerts.ts');
await import('./checks/install-page.ts');
