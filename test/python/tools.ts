import { join } from 'node:path';
import { installPython } from '../install/python.ts';

const root = join(import.meta.dirname, '../..');

export const sdk = join(root, 'clients/sdk-python');

/** Installs the tools of the Python SDK below `.tools`, once. Returns their interpreter. */
export function installTools(): string {
  const into = { dir: join(root, '.tools'), name: 'python-sdk' };
  return join(installPython(join(sdk, 'requirements-dev.txt'), into), 'python');
}
